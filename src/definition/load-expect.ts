import type { BlockType } from "../block/define-block.ts";
import { condition } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { type KeyReader, MapReader } from "./map-reader.ts";
import { compileValue, type ValueTemplate } from "./value-template.ts";
import type { Expect } from "./workflow-definition.ts";
import { describeNode, type YamlEntry, type YamlNode } from "./yaml-node.ts";

const code = { type: "integer", minimum: 0, maximum: 255 };

export const expectKeys: Keys<Expect, { readonly type: BlockType }> = {
  exitCodes: {
    name: "exit_code",
    docs: "The exit codes that are a success, one or a list; 0 alone if nothing is said",
    examples: ["[0, 3]", "0"],
    foreign: ["exit_codes", "exitcode", "code", "rc", "return_code", "returncode", "success_codes"],
    schema: { anyOf: [code, { type: "array", minItems: 1, items: code }] },
    read: (at, { type }) => readExitCodes(at, type),
  },
  fileExists: {
    name: "file_exists",
    docs: "A file that must be there when it has ended: a path in the workspace",
    examples: ["dist/app.js", '"${inputs.target}/app.js"'],
    foreign: ["file", "files", "path", "exists", "creates"],
    schema: { type: "string", minLength: 1 },
    read: readFileExists,
  },
  condition: {
    name: "condition",
    docs: "Must be true when it has ended; `this` is the block's own record",
    examples: ["${this.stdout} != ''", "true"],
    foreign: ["assert", "that", "if", "when"],
    ...condition,
  },
};

export const expectation: Key<Expect | undefined, { readonly type: BlockType }> = {
  name: "expect",
  docs: "What must hold for it to be a success, once its operation is completed",
  examples: ["{ exit_code: [0, 3], file_exists: dist/app.js }", "{ condition: \"${this.stdout} != ''\" }"],
  foreign: ["expected", "expects", "assert", "asserts", "success_when"],
  schema: (catalog) => mapSchema(listKeys(expectKeys), catalog),
  read(at, context) {
    const { node } = at;
    if (node === undefined) return undefined;
    if (node.kind === "map") {
      return readMap(expectKeys, new MapReader(node, `expect of ${at.what}`, at.report), context);
    }
    return at.wrongType("a map with exit_code, file_exists or condition", suggestMap(node));
  },
};

function suggestMap(node: YamlNode): string | undefined {
  if (node.kind !== "scalar" || node.value === null) return undefined;
  if (typeof node.value === "number") return `Write \`expect: { exit_code: ${node.written} }\`.`;
  return "Write `expect: { condition: ... }`.";
}

function readExitCodes(at: KeyReader, type: BlockType): readonly number[] | undefined {
  const { node } = at;
  if (node === undefined) return undefined;
  if (!Object.hasOwn(type.outputs().shape, "exit_code")) {
    at.report({
      code: "no-exit-code",
      level: "error",
      message: `${at.what}: a ${type.type} block has no exit code.`,
      fix: "Remove it; what it gives can be asked for with `condition`, as `this.FIELD`.",
      range: (at.entry as YamlEntry).keyRange,
    });
  }
  const items = node.kind === "list" ? node.items : [node];
  const read = items.map((item) => (item.kind === "scalar" ? item.value : null));
  const isCode = (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  if (read.length > 0 && read.every(isCode)) return read;
  const wrong = items.find((_, index) => !isCode(read[index]));
  const got = wrong === undefined ? "an empty list" : describeNode(wrong);
  at.report({
    code: "wrong-type",
    level: "error",
    message: `'exit_code' of ${at.what} must be a number from 0 to 255 or a list of them, not ${got}.`,
    range: wrong?.range ?? node.range,
  });
  return undefined;
}

function readFileExists(at: KeyReader): ValueTemplate | undefined {
  const { node } = at;
  if (node === undefined) return undefined;
  if (node.kind !== "scalar" || typeof node.value !== "string" || node.value.trim() === "") {
    return at.wrongType("the path of a file");
  }
  const path = compileValue(node, at.report);
  if (path.kind === "literal" && leadsOutside(node.value)) {
    at.report({
      code: "bad-path",
      level: "error",
      message: `'file_exists' of ${at.what} can't look outside of the workspace.`,
      fix: "Use a path in the workspace, without `..`.",
      range: node.range,
    });
  }
  return path;
}

function leadsOutside(path: string): boolean {
  return path.startsWith("/") || path === "~" || path.startsWith("~/") || path.split("/").includes("..");
}
