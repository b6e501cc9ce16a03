// In the browser's audio thread: samples become 16-bit and leave in pieces of a tenth of a second.

class RecorderProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Int16Array(Math.ceil(sampleRate / 10));
    this.filled = 0;
  }

  process([[channel]]) {
    for (const sample of channel || []) {
      this.piece[this.filled] = Math.max(-1, Math.min(1, sample)) * 32_767;
      this.filled += 1;
      if (this.filled === this.piece.length) {
        this.port.postMessage(this.piece.slice());
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor("recorder", RecorderProcessor);
