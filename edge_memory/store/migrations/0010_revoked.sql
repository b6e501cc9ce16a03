-- A device that was locked out must stay so where it needs no token, on a cable: its id is kept until it is paired anew.
CREATE TABLE revoked_devices (
    device_id  TEXT PRIMARY KEY,
    revoked_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The window is for a device on a cable: of this id, or of any if it is ''. NULL: for one that shows a code.
ALTER TABLE pairing ADD COLUMN by_cable TEXT;
