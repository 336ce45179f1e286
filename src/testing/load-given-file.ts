import { readText } from "../definition/forms.ts";
import { type Keys, readMap } from "../definition/key.ts";
import { MapReader } from "../definition/map-reader.ts";
import { plainValue } from "../definition/plain-value.ts";
import type { YamlEntry } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { looseText } from "./forms.ts";
import type { GivenFile } from "./test-file.ts";
import { checkWorkspacePath } from "./workspace-path.ts";

interface WrittenFile extends Pick<GivenFile, "mode"> {
  readonly content?: string;
  readonly json?: string;
}

export const givenFileKeys: Keys<WrittenFile> = {
  content: { name: "content", docs: "The text of the file", examples: ["hello", "7"], ...looseText },
  json: {
    name: "json",
    docs: "Written as JSON",
    examples: ["{ name: fern }", "null"],
    schema: {},
    read: ({ node }) => node && `${JSON.stringify(plainValue(node), null, 2)}\n`,
  },
  mode: {
    name: "mode",
    docs: "Who may do what with it, as three digits in quotes",
    examples: ['"755"', '"0600"'],
    schema: { type: "string", pattern: "^0?[0-7]{3}$" },
    read(at) {
      const text = at.text();
      if (text === undefined) return undefined;
      if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8);
      const message = `'${text}' is not the mode of a file.`;
      const fix = 'Write three digits in quotes, such as "755".';
      at.report({ code: "bad-mode", level: "error", message, fix, range: at.range });
      return undefined;
    },
  },
};

export function loadGivenFile({ key, keyRange, value: node }: YamlEntry, report: Report): GivenFile | undefined {
  checkWorkspacePath(key, keyRange, report);
  if (node.kind !== "map") {
    const content = readText(node, "the text of a file", report);
    return content === undefined ? undefined : { content };
  }
  const map = new MapReader(node, `the file '${key}'`, report);
  const { content: text, json, ...rest } = readMap(givenFileKeys, map, undefined);
  const [hasText, hasJson] = [map.entry("content") !== undefined, map.entry("json") !== undefined];
  if (hasText === hasJson) {
    const has = hasText ? "both content and json" : "neither content nor json";
    const message = `the file '${key}' has ${has}.`;
    report({ code: "bad-file", level: "error", message, fix: "Give it one of the two.", range: keyRange });
    return undefined;
  }
  const content = text ?? json;
  return content === undefined ? undefined : { content, ...rest };
}
