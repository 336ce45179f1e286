/** How a terminal writes: a few colours that can be read on our backgrounds, and a few ways to stand out. */
export interface AnsiStyle {
  readonly colour: AnsiColour | undefined;
  readonly background: AnsiColour | undefined;
  readonly marks: readonly AnsiMark[];
}

/** `plain`: black or white, which is the ink. `faint`: grey. */
export type AnsiColour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "faint" | "plain";

type AnsiMark = "bold" | "dim" | "italic" | "underline" | "strike" | "inverse";

export const noStyle: AnsiStyle = { colour: undefined, background: undefined, marks: [] };

const colours: readonly AnsiColour[] = ["plain", "red", "green", "yellow", "blue", "magenta", "cyan", "plain"];

const marksOn: Readonly<Record<number, AnsiMark>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
  21: "underline",
};

const marksOff: Readonly<Record<number, readonly AnsiMark[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

/** The style after a sequence such as `1;31`. What we don't know changes nothing. */
export function readStyle(style: AnsiStyle, parameters: string): AnsiStyle {
  // With colons a colour is one parameter; some leave a place for the colour space in it.
  const codes = parameters
    .replace(/([34]8):2:\d*:(?=\d+:\d+:\d)/g, "$1;2;")
    .replace(/(^|;)4:0/g, "$124")
    .replace(/(^|;)4:\d*/g, "$14")
    .split(/[;:]/)
    .map(Number);
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = longColour(codes.slice(at + 1, at + 5));
      next = code === 38 ? { ...next, colour } : { ...next, background: colour };
      at += used;
    } else next = shortCode(next, code);
  }
  return next;
}

function shortCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return noStyle;
  const on = marksOn[code];
  if (on !== undefined) return style.marks.includes(on) ? style : { ...style, marks: [...style.marks, on] };
  const off = marksOff[code];
  if (off !== undefined) return { ...style, marks: style.marks.filter((mark) => !off.includes(mark)) };
  if (code === 39) return { ...style, colour: undefined };
  if (code === 49) return { ...style, background: undefined };
  const kind = Math.floor(code / 10);
  if (code % 10 > 7) return style;
  if (kind === 3 || kind === 9) return { ...style, colour: basicColour((code % 10) + (kind === 9 ? 8 : 0)) };
  if (kind === 4 || kind === 10) return { ...style, background: basicColour((code % 10) + (kind === 10 ? 8 : 0)) };
  return style;
}

/** Bright black is a grey. */
function basicColour(index: number): AnsiColour {
  return index === 8 ? "faint" : (colours[index % 8] ?? "plain");
}

/** One of 256, or red, green and blue; and how many numbers that took. */
function longColour([kind, first = 0, second = 0, third = 0]: readonly number[]): [AnsiColour | undefined, number] {
  if (kind === 2) return [nearestColour(first, second, third), 4];
  if (kind !== 5) return [undefined, 0];
  if (first < 16) return [basicColour(first), 2];
  if (first > 231) {
    const grey = 8 + (first - 232) * 10;
    return [nearestColour(grey, grey, grey), 2];
  }
  const part = (weight: number): number => {
    const step = Math.floor((first - 16) / weight) % 6;
    return step === 0 ? 0 : 55 + step * 40;
  };
  return [nearestColour(part(36), part(6), part(1)), 2];
}

const hues: readonly (readonly [number, AnsiColour])[] = [
  [20, "red"],
  [70, "yellow"],
  [160, "green"],
  [200, "cyan"],
  [262, "blue"],
  [340, "magenta"],
  [360, "red"],
];

/** By its hue: how light it is can't be kept, since it may have been chosen for another background. */
function nearestColour(red: number, green: number, blue: number): AnsiColour {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const spread = most - least;
  if (!(spread > 40)) return most > 70 && most < 190 ? "faint" : "plain";
  const sixth =
    most === red ? (green - blue) / spread : most === green ? 2 + (blue - red) / spread : 4 + (red - green) / spread;
  const hue = (sixth * 60 + 360) % 360;
  return hues.find(([end]) => hue < end)?.[1] ?? "plain";
}

/** What was written the other way round has its colour as background. */
export function classesOf({ colour, background, marks }: AnsiStyle): string {
  const isInverse = marks.includes("inverse");
  const [ink, ground] = isInverse ? [background, colour ?? "plain"] : [colour, background];
  return [
    ...(ink === undefined || ink === "plain" ? [] : [`ansi-${ink}`]),
    ...(ground === undefined || (ground === "plain" && !isInverse) ? [] : [`ansi-on-${ground}`]),
    ...marks.filter((mark) => mark !== "inverse").map((mark) => `ansi-${mark}`),
  ].join(" ");
}
