import type { FileSystem } from "../block/ports.ts";
import { compare, type Mismatch, placeIn } from "./compare.ts";
import { writtenExpectation } from "./expectation.ts";
import type { ExpectedFile } from "./test-file.ts";

const mostBytes = 10_000_000;

/** What the run has left in the workspace that is not as it was expected. */
export async function checkFiles(
  expected: ReadonlyMap<string, ExpectedFile>,
  workspace: string,
  files: FileSystem,
): Promise<Mismatch[]> {
  const mismatches: Mismatch[] = [];
  for (const [path, file] of expected) mismatches.push(...(await checkFile(path, file, workspace, files)));
  return mismatches;
}

async function checkFile(path: string, file: ExpectedFile, root: string, files: FileSystem): Promise<Mismatch[]> {
  const at = placeIn("files", path);
  const state = await files.look({ root, path });
  if ("message" in state) return [{ at, message: state.message }];
  if (state.kind === "missing") return file.kind === "absent" ? [] : compare(file.content, undefined, at);
  if (file.kind === "absent") return [{ at, expected: "absent", found: `a ${state.kind}` }];
  if (state.kind !== "file") {
    const found = `a ${state.kind}`;
    return file.content.kind === "any" ? [] : [{ at, expected: writtenExpectation(file.content), found }];
  }
  const read = await files.read({ root, path }, mostBytes);
  if ("message" in read) return [{ at, message: read.message }];
  return compare(file.content, Buffer.from(read.bytes).toString("utf8"), at);
}
