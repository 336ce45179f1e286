import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { err, ok, type Result } from "../../util/result.ts";

/** How text becomes bytes and bytes become text, as long as nothing of either is lost. */
interface TextEncoding {
  readonly encode: (text: string) => Result<Uint8Array, string>;
  readonly decode: (bytes: Uint8Array) => Result<string, string>;
  /** The same for a file that is there already: with its order of bytes, and with a mark at its beginning if it has one. */
  readonly like?: (bytes: Uint8Array) => TextEncoding;
}

/** What an encoding is called when it is not written in its usual form, `utf_8` or `ISO8859-1` for example. */
const aliases: Readonly<Record<string, string>> = {
  utf8: "utf-8",
  u8: "utf-8",
  utf8sig: "utf-8-sig",
  utf8bom: "utf-8-sig",
  usascii: "ascii",
  iso646us: "ascii",
  latin1: "latin-1",
  l1: "latin-1",
  iso88591: "latin-1",
  cp819: "latin-1",
  latin2: "iso-8859-2",
  latin9: "iso-8859-15",
  utf16: "utf-16",
  ucs2: "utf-16",
  utf16le: "utf-16-le",
  utf16be: "utf-16-be",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
};

const byteOrders: ReadonlyMap<string, boolean> = new Map([
  ["utf-16-le", false],
  ["utf-16-be", true],
]);
const isoParts = [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15];
const codePages = [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258];
/** One byte a character; the platform knows which. */
const tables: ReadonlyMap<string, string> = new Map([
  ...isoParts.map((part) => [`iso-8859-${part}`, `iso-8859-${part}`] as const),
  ...codePages.map((page) => [`cp${page}`, `windows-${page}`] as const),
  ["koi8-r", "koi8-r"],
  ["koi8-u", "koi8-u"],
]);

const unicode = "utf-8, utf-8-sig, utf-16, utf-16-le, utf-16-be";
const knownEncodings = `${unicode}, ascii, latin-1 (iso-8859-1), iso-8859-2 to -8, -10, -13 to -15, cp1250 to cp1258 (windows-1252), koi8-r, koi8-u`;

/** Beside text there may be other forms, such as base64. */
export function encodingInput(description: string, ...others: readonly string[]): z.ZodDefault<z.ZodString> {
  const list = [knownEncodings, ...others].join(", ");
  return z
    .string()
    .refine((name) => others.includes(name) || encodingOf(name) !== undefined, `must be one of ${list}`)
    .default("utf-8")
    .describe(`${description}: ${list}`);
}

/** The bytes of a text, as long as none of its characters is lost. */
export function encodeText(text: string, name: string, like?: Uint8Array): Result<Uint8Array, string> {
  const encoding = known(name);
  return (like === undefined ? encoding : (encoding.like?.(like) ?? encoding)).encode(text);
}

export function decodeText(bytes: Uint8Array, name: string): Result<string, string> {
  return known(name).decode(bytes);
}

export function decodeBase64(text: string): Result<Uint8Array, string> {
  const compact = text.replaceAll(/\s/g, "");
  return isBase64(compact) ? ok(Buffer.from(compact, "base64")) : err("is not base64");
}

/** The padding may be missing. No pattern goes through groups of four: on megabytes it would run out of stack. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, "");
  const isComplete = digits === text ? digits.length % 4 !== 1 : text.length % 4 === 0;
  return isComplete && !/[^\w+/-]/.test(digits);
}

function known(name: string): TextEncoding {
  const encoding = encodingOf(name);
  if (encoding === undefined) throw new Error(`'${name}' has passed as an encoding.`);
  return encoding;
}

function encodingOf(written: string): TextEncoding | undefined {
  const name = usualName(written);
  if (name === "utf-8") return utf8;
  if (name === "utf-8-sig") return markedUtf8;
  if (name === "ascii" || name === "latin-1") return firstCharacters(name, name === "ascii" ? 0x7f : 0xff);
  if (name === "utf-16") return utf16(false, true);
  const isBigEndian = byteOrders.get(name);
  if (isBigEndian !== undefined) return utf16(isBigEndian, false);
  const label = tables.get(name);
  return label === undefined ? undefined : singleBytes(name, charactersOf(label));
}

function usualName(written: string): string {
  const compact = written.toLowerCase().replaceAll(/[-_ ]/g, "");
  const [, part] = /^iso8859(\d+)$/.exec(compact) ?? [];
  const [, page] = /^(?:cp|windows)(125\d)$/.exec(compact) ?? [];
  if (page !== undefined) return `cp${page}`;
  return aliases[compact] ?? (part === undefined ? compact : `iso-8859-${part}`);
}

// Half of a character, which a JSON escape can smuggle into a text, would be replaced.
const halfCharacter = /\p{Surrogate}/u;

const utf8: TextEncoding = {
  encode: (text) =>
    halfCharacter.test(text) ? err("contains half a character, which UTF-8 can't hold") : ok(Buffer.from(text)),
  decode: (bytes) => (isUtf8(bytes) ? ok(Buffer.from(bytes).toString()) : err("is not UTF-8 text")),
};

const mark = "\ufeff";

const markedUtf8: TextEncoding = {
  encode: (text) => utf8.encode(mark + text),
  decode(bytes) {
    const text = utf8.decode(bytes);
    return text.ok && text.value.startsWith(mark) ? ok(text.value.slice(1)) : text;
  },
  like: (bytes) => (Buffer.from(bytes.subarray(0, 3)).toString() === mark ? markedUtf8 : utf8),
};

/** Where the number of a character is its byte. */
function firstCharacters(name: string, last: number): TextEncoding {
  const foreign = last === 0x7f ? /[^\0-\x7f]/u : /[^\0-\xff]/u;
  return {
    encode(text) {
      const found = foreign.exec(text)?.[0];
      return found === undefined
        ? ok(Buffer.from(text, "latin1"))
        : err(`contains '${found}', which ${name} can't hold`);
    },
    decode: (bytes) =>
      bytes.some((byte) => byte > last) ? err(`is not ${name} text`) : ok(Buffer.from(bytes).toString("latin1")),
  };
}

function utf16(isBigEndian: boolean, isMarked: boolean): TextEncoding {
  return {
    encode(text) {
      if (halfCharacter.test(text)) return err("contains half a character, which UTF-16 can't hold");
      const bytes = Buffer.from(isMarked ? mark + text : text, "utf16le");
      return ok(isBigEndian ? bytes.swap16() : bytes);
    },
    decode(bytes) {
      const isSwapped = isMarked ? hasBigEndianMark(bytes) : isBigEndian;
      const decoder = new TextDecoder(isSwapped ? "utf-16be" : "utf-16le", { fatal: true, ignoreBOM: !isMarked });
      try {
        return ok(decoder.decode(bytes));
      } catch {
        return err("is not UTF-16 text");
      }
    },
    like: (bytes) =>
      isMarked
        ? utf16(hasBigEndianMark(bytes), bytes.length === 0 || hasBigEndianMark(bytes) || hasLittleEndianMark(bytes))
        : utf16(isBigEndian, false),
  };
}

function hasBigEndianMark([first, second]: Uint8Array): boolean {
  return first === 0xfe && second === 0xff;
}

function hasLittleEndianMark([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}

/** One byte is one character, of these 256; where a byte is none, of the replacement character. */
function singleBytes(name: string, characters: readonly string[]): TextEncoding {
  return {
    encode(text) {
      const byteOf = new Map(characters.map((character, byte) => [character, byte]));
      byteOf.delete(replacement);
      const bytes = Buffer.alloc(text.length);
      let length = 0;
      for (const character of text) {
        const byte = byteOf.get(character);
        if (byte === undefined) return err(`contains '${character}', which ${name} can't hold`);
        bytes[length++] = byte;
      }
      return ok(bytes.subarray(0, length));
    },
    decode(bytes) {
      const text = Array.from(bytes, (byte) => characters[byte]).join("");
      return text.includes(replacement) ? err(`is not ${name} text`) : ok(text);
    },
  };
}

const replacement = "\ufffd";
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** Bytes 0x80 to 0x9f. Node 20 decodes windows-1252 as if it were iso-8859-1. */
const cp1252Marks = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function charactersOf(label: string): readonly string[] {
  if (label !== "windows-1252") return Array.from(new TextDecoder(label).decode(everyByte));
  const latin1 = Buffer.from(everyByte).toString("latin1");
  return Array.from(latin1.slice(0, 0x80) + cp1252Marks + latin1.slice(0xa0));
}
