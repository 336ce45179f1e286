import { text, withDefault } from "../definition/forms.ts";
import { type Keys, listKeys, readMap } from "../definition/key.ts";
import { MapReader } from "../definition/map-reader.ts";
import { describeNode, type YamlEntry } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { looseText } from "./forms.ts";
import type { FakeCommand } from "./test-file.ts";

interface WrittenFake {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode: number;
  readonly script?: string;
}

export const fakeKeys: Keys<WrittenFake> = {
  stdout: { name: "stdout", docs: "What it prints to stdout", examples: ['"10.0.0\\n"', "7"], ...looseText },
  stderr: { name: "stderr", docs: "What it prints to stderr", examples: ["no such file"], ...looseText },
  exitCode: {
    name: "exit_code",
    docs: "What it exits with",
    examples: ["7"],
    ...withDefault(
      {
        schema: { type: "integer", minimum: 0, maximum: 255 },
        read: (at) => at.integer("a whole number from 0 to 255", 0, 255),
      },
      0,
    ),
  },
  script: { name: "script", docs: "What it does instead (bash)", examples: ['echo "$@" >> calls.txt'], ...text },
};

export function loadFake({ key, keyRange, value: node }: YamlEntry, report: Report): FakeCommand | undefined {
  if (!/^[^/\s]+$/.test(key) || key === "." || key === "..") {
    const message = `'${key}' can't be the name of a program.`;
    report({ code: "bad-name", level: "error", message, range: keyRange });
    return undefined;
  }
  if (node.kind !== "map") {
    const message = `The command '${key}' must be a map with stdout, stderr and exit_code, or with a script, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, fix: `Write ${key}: { stdout: "" }.`, range: node.range });
    return undefined;
  }
  const fake = readMap(fakeKeys, new MapReader(node, `the command '${key}'`, report), undefined);
  const { stdout = "", stderr = "", exitCode, script } = fake;
  if (script === undefined) return { kind: "answers", stdout, stderr, exitCode };
  const other = node.entries.find((entry) => entry.key !== "script");
  if (other !== undefined && listKeys(fakeKeys).some(({ name }) => name === other.key)) {
    const message = `The command '${key}' has a script, which says by itself what '${other.key}' would.`;
    report({ code: "bad-command", level: "error", message, fix: "Give it one of the two.", range: other.keyRange });
  }
  return { kind: "script", script };
}
