import { isAbsolute, relative } from "node:path";
import { BlockCannotRun, type BlockContext, type FileOutput } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { isList, isMap, toValue, type Value } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** 10 MiB. */
const mostBytes = 10 * 1024 * 1024;

export interface ReadOutputs {
  /** Null where nothing could be read. */
  readonly outputs: Record<string, Value>;
  /** The first thing that makes the operation a failure. */
  readonly problem?: string;
}

/** Reads the files a block promises, once its command has ended. */
export async function readFileOutputs(context: BlockContext, workingDirectory: string): Promise<ReadOutputs> {
  const outputs: Record<string, Value> = {};
  let problem: string | undefined;
  for (const output of context.fileOutputs) {
    const read = await readFileOutput(output, context, workingDirectory);
    outputs[output.name] = read.ok ? read.value : null;
    if (!read.ok) problem ??= `output '${output.name}': ${read.error}`;
  }
  return { outputs, ...defined({ problem }) };
}

async function readFileOutput(
  output: FileOutput,
  context: BlockContext,
  workingDirectory: string,
): Promise<Result<Value, string>> {
  const place = await locate(output, context, workingDirectory);
  const read = await context.files.read(place, mostBytes);
  if ("bytes" in read) return parseAs(output, new TextDecoder().decode(read.bytes));
  // A path or a size that breaks the rules is never tolerated, required or not.
  if (read.kind === "forbidden" || read.kind === "too-large")
    throw new BlockCannotRun(`output '${output.name}': ${read.message}`);
  if (read.kind === "missing" && !output.required) return ok(null);
  return err(read.message);
}

const scratchVariable = /^\$(?:SCRATCH|\{SCRATCH\})\//;

async function locate(
  { name, path, unsafe }: FileOutput,
  context: BlockContext,
  workingDirectory: string,
): Promise<RootedPath> {
  const inScratch = scratchVariable.exec(path);
  if (inScratch !== null) return { root: await scratchPath(context), path: path.slice(inScratch[0].length) };
  if (unsafe) return isAbsolute(path) ? { root: "/", path: path.slice(1) } : { root: workingDirectory, path };
  if (!isAbsolute(path))
    return { root: context.workspace, path: belowWorkspace(name, path, context, workingDirectory) };
  throw new BlockCannotRun(
    `output '${name}': '${path}' is an absolute path. Use a path relative to the working directory or under $SCRATCH, or set \`unsafe: true\` on the output.`,
  );
}

export async function scratchPath({ scratch }: BlockContext): Promise<string> {
  try {
    return await scratch.path();
  } catch (error) {
    throw new BlockCannotRun(error instanceof Error ? error.message : String(error));
  }
}

/** Read from the workspace down, so that no link on the way to the working directory leads out of it. */
function belowWorkspace(name: string, path: string, { workspace }: BlockContext, workingDirectory: string): string {
  const directory = relative(workspace, workingDirectory);
  if (directory === "") return path;
  if (directory.split("/")[0] !== ".." && !isAbsolute(directory)) return `${directory}/${path}`;
  throw new BlockCannotRun(
    `output '${name}': the working directory is outside the workspace. Write the file under $SCRATCH, or set \`unsafe: true\` on the output.`,
  );
}

function parseAs({ type }: FileOutput, text: string): Result<Value, string> {
  const trimmed = text.trim();
  switch (type) {
    case "str":
      return ok(text.replace(/\r?\n$/, ""));
    case "int":
      return /^[+-]?\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed))
        ? ok(Number(trimmed))
        : err(`the file holds no whole number that can be kept exactly but ${quote(trimmed)}`);
    case "float":
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed))
        ? ok(Number(trimmed))
        : err(`the file holds no number but ${quote(trimmed)}`);
    case "bool":
      if (/^(true|yes|1)$/i.test(trimmed)) return ok(true);
      if (/^(false|no|0)$/i.test(trimmed)) return ok(false);
      return err(`the file holds neither true nor false but ${quote(trimmed)}`);
    case "json":
    case "list":
    case "dict":
      return parseJson(type, trimmed);
  }
}

function parseJson(type: "json" | "list" | "dict", text: string): Result<Value, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return err(`the file is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const value = toValue(parsed);
  if (!value.ok) return value;
  if (type === "list" && !isList(value.value)) return err("the file's JSON is not a list");
  if (type === "dict" && !isMap(value.value)) return err("the file's JSON is not a map");
  return value;
}

function quote(text: string): string {
  return `'${text.length > 60 ? `${text.slice(0, 57)}...` : text}'`;
}
