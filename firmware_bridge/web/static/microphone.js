// The browser's microphone as a WAV file, and playing what comes back.

import { Failure, request } from "./api.js";

const LONGEST_SECONDS = 60;

export class Recorder {
  // Calls full() when it holds as much as it takes.
  static async start(full) {
    if (!navigator.mediaDevices?.getUserMedia) {
      throw new Failure(0, {
        message: "This browser gives no microphone to this address.",
        hint: "Browsers allow it on the companion's own machine (http://localhost) and over https. Typing works everywhere.",
      });
    }
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: true } });
    } catch {
      throw new Failure(0, { message: "The microphone is not allowed.", hint: "Allow it for this page in the browser's settings." });
    }
    const context = new AudioContext();
    try {
      await context.audioWorklet.addModule("/static/recorder.js");
    } catch (error) {
      stream.getTracks().forEach((track) => track.stop());
      throw error;
    }
    const node = new AudioWorkletNode(context, "recorder", { numberOfOutputs: 0 });
    context.createMediaStreamSource(stream).connect(node);
    return new Recorder(stream, context, node, full);
  }

  constructor(stream, context, node, full) {
    Object.assign(this, { stream, context, pieces: [], most: LONGEST_SECONDS * context.sampleRate, kept: 0 });
    node.port.onmessage = ({ data }) => {
      this.pieces.push(data);
      this.kept += data.length;
      if (this.kept >= this.most) full();
    };
  }

  // The recording as WAV, null when there is none.
  async stop() {
    this.stream.getTracks().forEach((track) => track.stop());
    const rate = this.context.sampleRate;
    await this.context.close();
    return this.pieces.length ? wav(this.pieces, rate) : null;
  }
}

function wav(pieces, rate) {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0) * 2;
  const head = new DataView(new ArrayBuffer(44));
  const name = (at, text) => [...text].forEach((letter, index) => head.setUint8(at + index, letter.charCodeAt(0)));
  name(0, "RIFF");
  head.setUint32(4, 36 + size, true);
  name(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, rate, true);
  head.setUint32(28, rate * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  name(36, "data");
  head.setUint32(40, size, true);
  return new Blob([head, ...pieces], { type: "audio/wav" });
}

export async function play(url) {
  const sound = URL.createObjectURL(await (await request(url)).blob());
  const audio = new Audio(sound);
  audio.addEventListener("ended", () => URL.revokeObjectURL(sound));
  await audio.play().catch(() => {
    throw new Failure(0, { message: "Its voice could not be played.", hint: "Does this browser let pages play sound?" });
  });
}
