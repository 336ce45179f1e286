// Writes a picture of a screen with 256 colours at most, which is a third of its size and looks the same.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from("89504e470d0a1a0a", "hex");
const mostColours = 256;

export function shrinkPng(picture) {
  const { width, height, pixels } = readPng(picture);
  const palette = choosePalette(pixels);
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of pixels.entries()) {
    const index = nearest.get(colour) ?? findNearest(palette, colour);
    nearest.set(colour, index);
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits for each pixel, which are its place in the palette.
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(partsOf));
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Colours that are seen often stay as they are; of the others those are taken that are farthest from all that are there. */
function choosePalette(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  if (byCount.length <= mostColours) return byCount;
  const palette = byCount.slice(0, mostColours / 2);
  const others = byCount.slice(mostColours / 2).map((colour) => ({ colour, far: Number.POSITIVE_INFINITY }));
  const measure = (from) => {
    for (const other of others) other.far = Math.min(other.far, distance(from, other.colour));
  };
  for (const colour of palette) measure(colour);
  while (palette.length < mostColours) {
    const next = others.reduce((a, b) =>
      b.far * Math.sqrt(counts.get(b.colour)) > a.far * Math.sqrt(counts.get(a.colour)) ? b : a,
    );
    palette.push(next.colour);
    measure(next.colour);
  }
  return palette;
}

function findNearest(palette, colour) {
  let best = 0;
  for (let index = 1; index < palette.length; index++)
    if (distance(palette[index], colour) < distance(palette[best], colour)) best = index;
  return best;
}

function distance(a, b) {
  const [red, green, blue] = partsOf(a);
  const [red2, green2, blue2] = partsOf(b);
  return (red - red2) ** 2 + 2 * (green - green2) ** 2 + (blue - blue2) ** 2;
}

function partsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** As Chromium writes them: eight bits for red, green, blue and perhaps how much is seen through, which is nothing here. */
function readPng(picture) {
  const data = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = signature.length; at < picture.length; ) {
    const length = picture.readUInt32BE(at);
    const kind = picture.toString("latin1", at + 4, at + 8);
    const body = picture.subarray(at + 8, at + 8 + length);
    if (kind === "IHDR")
      [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 6 ? 4 : 3];
    if (kind === "IDAT") data.push(body);
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = (bytes[at * channels] << 16) | (bytes[at * channels + 1] << 8) | bytes[at * channels + 2];
  return { width, height, pixels };
}

function unfilter(raw, stride, height, channels) {
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : bytes[at - channels];
      const up = y === 0 ? 0 : bytes[at - stride];
      const corner = x < channels || y === 0 ? 0 : bytes[at - stride - channels];
      bytes[at] = raw[y * (stride + 1) + 1 + x] + predict(filter, left, up, corner);
    }
  }
  return bytes;
}

function predict(filter, left, up, corner) {
  if (filter === 4) {
    const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
    return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
  }
  return [0, left, up, (left + up) >> 1][filter] ?? 0;
}

function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind, "latin1"), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
