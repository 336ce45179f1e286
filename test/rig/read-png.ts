import { inflateSync } from "node:zlib";

export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  /** The colour of a pixel, as six hexadecimal digits. */
  colourAt(x: number, y: number): string;
}

/** Pictures as browsers take them: eight bits, RGB or RGBA, not interlaced. */
export function readPng(bytes: Uint8Array): DecodedPng {
  const buffer = Buffer.from(bytes);
  if (buffer.toString("latin1", 1, 4) !== "PNG") throw new Error("This is not a PNG.");
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = 8; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    const kind = buffer.toString("latin1", at + 4, at + 8);
    const data = buffer.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR")
      [width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9] === 6 ? 4 : 3];
    if (kind === "IDAT") parts.push(data);
    at += length + 12;
  }
  const pixels = unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  return {
    width,
    height,
    colourAt(x, y) {
      const at = (y * width + x) * channels;
      return pixels.toString("hex", at, at + 3);
    },
  };
}

function unfilter(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)] ?? 0;
    for (let index = 0; index < stride; index++) {
      const at = row * stride + index;
      const left = index < channels ? 0 : (pixels[at - channels] ?? 0);
      const above = row === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = row === 0 || index < channels ? 0 : (pixels[at - stride - channels] ?? 0);
      const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      pixels[at] = (raw[row * (stride + 1) + 1 + index] ?? 0) + (guesses[filter] ?? 0);
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
