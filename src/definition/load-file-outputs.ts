import { type BlockType, fileOutputTypes } from "../block/define-block.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { choice, flag, text, withDefault } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { MapReader } from "./map-reader.ts";
import { checkName } from "./names.ts";
import { compileValue, type ValueTemplate } from "./value-template.ts";
import type { FileOutputDeclaration } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

interface WrittenFileOutput extends Omit<FileOutputDeclaration, "name" | "range" | "path"> {
  readonly path?: ValueTemplate;
}

export const fileOutputKeys: Keys<WrittenFileOutput> = {
  type: {
    name: "type",
    docs: "What is read from the file; a str loses its last newline",
    examples: ["json", "str"],
    ...withDefault(choice(fileOutputTypes), "str"),
  },
  unsafe: { name: "unsafe", docs: "Allows an absolute path", examples: ["false", "true"], ...withDefault(flag, false) },
  path: {
    name: "path",
    docs: "Relative to the working directory, or under $SCRATCH",
    examples: ['"$SCRATCH/result.txt"', "dist/out.json"],
    required: true,
    schema: text.schema,
    read: (at, _, { unsafe = false }) =>
      at.text() === undefined ? undefined : compilePath(at.node as YamlNode, unsafe, at.report),
  },
  required: {
    name: "required",
    docs: "`false`: there may be no such file",
    examples: ["false", "true"],
    ...withDefault(flag, true),
  },
  description: { name: "description", docs: "What it is for", examples: ["Report of the tests"], ...text },
};

export const fileOutputs: Key<readonly FileOutputDeclaration[], { readonly type: BlockType }> = {
  name: "outputs",
  docs: "Files to read when the block ends; of one that has `blocks`: what it gives, as on a workflow",
  examples: ['{ report: { type: json, path: "$SCRATCH/report.json" } }'],
  schema: (catalog) => ({ type: "object", additionalProperties: mapSchema(listKeys(fileOutputKeys), catalog) }),
  read(at, { type }) {
    // Those of a group are no files.
    if (type.behaviour.kind === "group") return [];
    const entries = at.mapAt()?.entries ?? [];
    if (entries.length === 0 || type.fileOutputs === true) {
      return entries.flatMap((entry) => readFileOutput(entry, type, at.report) ?? []);
    }
    at.report({
      code: "no-file-outputs",
      level: "error",
      message: `A ${type.type} block has no file outputs.`,
      fix: "Remove `outputs:`; what the block gives is listed in its documentation.",
      range: at.entry?.keyRange ?? at.range,
    });
    return [];
  },
};

function readFileOutput(entry: YamlEntry, type: BlockType, report: Report): FileOutputDeclaration | undefined {
  const { key: name, keyRange: range, value: node } = entry;
  const bad = checkName(name, "an output", /^[A-Za-z_][A-Za-z0-9_]*$/, "use letters, digits and _");
  if (bad !== undefined) report({ code: "bad-name", level: "error", message: bad, range });
  if (Object.hasOwn(type.outputs().shape, name)) {
    const message = `Every ${type.type} block has an output '${name}' already.`;
    report({ code: "output-taken", level: "error", message, fix: "Choose another name.", range });
  }
  if (node.kind !== "map") {
    const message = `Output '${name}' must be a map with type and path.`;
    const fix = `Write ${name}: { type: json, path: "$SCRATCH/${name}.json" }.`;
    report({ code: "wrong-type", level: "error", message, fix, range });
    return undefined;
  }
  const { path, ...rest } = readMap(fileOutputKeys, new MapReader(node, `output '${name}'`, report), undefined);
  return path === undefined ? undefined : { name, path, ...rest, range };
}

/** A path that is written out is held to the rules of paths before the run, any other when it is known. */
function compilePath(node: YamlNode, unsafe: boolean, report: Report): ValueTemplate {
  const path = compileValue(node, report);
  const broken = path.kind === "literal" ? brokenPathRule(String(path.value), unsafe) : undefined;
  if (broken !== undefined) report({ code: "bad-path", level: "error", ...broken, range: node.range });
  return path;
}

function brokenPathRule(path: string, unsafe: boolean): { readonly message: string; readonly fix: string } | undefined {
  if (path === "~" || path.startsWith("~/")) {
    return { message: "A path can't start with ~: only $SCRATCH is expanded.", fix: relativePath };
  }
  if (path.split("/").includes("..")) return { message: "A path can't contain `..`.", fix: relativePath };
  if (!path.startsWith("/") || unsafe) return undefined;
  const message = `'${path}' is an absolute path.`;
  return { message, fix: `${relativePath} Or set \`unsafe: true\` on the output.` };
}

const relativePath = "Use a path relative to the working directory, or under $SCRATCH.";
