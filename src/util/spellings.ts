/**
 * The forms in which programs commonly write a text: as it is, in JSON, quoted for a shell, in URLs, in HTML, in base64. Base64
 * depends on what stands before the text, so of each of its three alignments there are the characters that the text alone decides, and the rest for when nothing follows.
 */
export function spellingsOf(text: string): ReadonlySet<string> {
  const spellings = new Set<string>([text, ...inShell(text), ...inHtml(text)]);
  for (const form of inJson(text)) spellings.add(form);
  for (const form of inUrls(text)) spellings.add(form);
  for (const base64 of inBase64(text)) {
    spellings.add(base64);
    spellings.add(base64.replaceAll("/", "\\/"));
    for (const [plus, slash] of [
      ["%2B", "%2F"],
      ["%2b", "%2f"],
    ] as const) {
      spellings.add(base64.replaceAll("+", plus).replaceAll("/", slash));
    }
  }
  return spellings;
}

/** In single quotes, in double quotes as by `declare -p`, and without quotes as by `printf %q`. */
function inShell(text: string): string[] {
  return [
    text.replaceAll("'", "'\\''"),
    text.replaceAll(/["$`\\]/g, "\\$&"),
    text.replaceAll(/[ !"$&'()*,;<>?[\\\]^`{|}]|(?<=[=:])~/g, "\\$&"),
  ];
}

/** The ways to write a single quote that are common; some leave both kinds of quotes as they are. */
const singleQuotes = ["'", "&#39;", "&#x27;", "&apos;"];

function inHtml(text: string): string[] {
  const tags = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return [tags, ...singleQuotes.map((quote) => tags.replaceAll('"', "&quot;").replaceAll("'", quote))];
}

/** Also as a text in JSON that is itself a text in JSON. */
function inJson(text: string): string[] {
  return [...inJsonOnce(text), ...inJsonOnce(JSON.stringify(text).slice(1, -1))];
}

function inJsonOnce(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(/[\u007f-\uffff]/g, escapeUnit);
  return [json, json.replaceAll("/", "\\/"), ascii, ascii.replaceAll(/[<>&]/g, escapeUnit)];
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What encoders leave as it is beside letters and digits: RFC 3986, paths, forms, encodeURIComponent, encodeURI. */
const keptInUrls = ["-_.~", "-_.~/", "*-._", "-_.!~*'()", "-_.!~*'();/?:@&=+$,#"];

function inUrls(text: string): string[] {
  const bytes = [...Buffer.from(text)];
  const forms = keptInUrls.map((kept) => encodeBytes(bytes, kept));
  const everything = bytes.map(encodeByte).join("");
  const upper = [...forms, ...forms.map((form) => form.replaceAll("%20", "+")), everything];
  return [...upper, ...upper.map((form) => form.replaceAll(/%../g, (code) => code.toLowerCase()))];
}

function encodeBytes(bytes: readonly number[], kept: string): string {
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(character) || kept.includes(character) ? character : encodeByte(byte);
    })
    .join("");
}

function encodeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

const bitsPerCharacter = 6;

function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const atEnd = encoded.slice(Math.ceil((before * 8) / bitsPerCharacter));
    const decided = encoded.slice(
      encoded.length - atEnd.length,
      Math.floor(((before + bytes.length) * 8) / bitsPerCharacter),
    );
    const forms = [decided, atEnd, atEnd.replaceAll("=", "")];
    return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
  });
}
