import { basename } from "node:path";
import type { ProcessRequest, ProcessResult } from "../../block/ports.ts";

/** What the programs that lead into an isolated workspace say by themselves is not the command's: they can't find it, or may not execute it. */
export function explainEntrance(result: ProcessResult, { file, entrance }: ProcessRequest): ProcessResult {
  if (!result.started || ![126, 127].includes(result.exitCode)) return result;
  const said = entrance?.enter.some((word) => result.stderr.text.startsWith(`${basename(word)}: `));
  if (said !== true || result.stderr.text.trimEnd().includes("\n")) return result;
  if (result.exitCode === 126) return { started: false, message: `'${file}' may not be executed` };
  const where = file.includes("/") ? "" : " on PATH";
  return { started: false, message: `there is no program '${file}'${where}` };
}
