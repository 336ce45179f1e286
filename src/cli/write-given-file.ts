import { randomBytes } from "node:crypto";
import { basename, dirname } from "node:path";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { CliContext } from "./context.ts";

/** Writes a file that an option names, as a whole or not at all; why it could not, if so. */
export async function writeGivenFile(
  file: string,
  text: string,
  option: string,
  { platform }: CliContext,
): Promise<Problem | undefined> {
  const { files } = platform;
  const directory = platform.realDirectory(dirname(file));
  if (!directory.ok)
    return problem("not-written", directory.error, `Give ${option} a file in a directory that exists.`);
  const at = { root: directory.value, path: basename(file) };
  const temporary = `.${basename(file)}.${randomBytes(9).toString("hex")}`;
  const failed = await files.replace(at, Buffer.from(text), files.newFileMode, temporary);
  return failed === undefined ? undefined : problem("not-written", `${file} can't be written: ${failed.message}.`);
}
