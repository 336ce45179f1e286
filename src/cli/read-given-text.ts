import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import { explainUnreadable } from "../library/explain-unreadable.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { CliContext } from "./context.ts";

/** The text of a file that is named on the command line; `-` is what comes on standard input. `what`: `workflow`, `plan`. */
export async function readGivenText(
  file: string,
  what: string,
  { platform }: CliContext,
): Promise<Result<string, Diagnostic>> {
  if (file === "-") return readInput(what);
  const read = platform.readWorkflowText(file);
  if ("text" in read) return ok(read.text);
  const { code, level, message } = explainUnreadable(file, read);
  return err({ code, level, message, fix: `Give a ${what} file, or - for standard input.` });
}

/** More than a workflow may have. */
const mostCharacters = 4_000_000;

async function readInput(what: string): Promise<Result<string, Diagnostic>> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    text += chunk;
    if (text.length > mostCharacters)
      return err(problem("limit-exceeded", `Standard input is too long for a ${what}: the limit is 2 MB.`));
  }
  return ok(text);
}
