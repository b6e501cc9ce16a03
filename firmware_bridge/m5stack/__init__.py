"""What runs on the device, in MicroPython: copy this folder to the board as `/flash/lobug` (see GUIDE.md).

Everything but `board_m5` also runs under CPython and MicroPython's unix port, with `board_desk` as the board.
"""
