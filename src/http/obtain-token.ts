import { type Problem, problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Keeps the token that clients show. */
export interface Tokens {
  readonly file: string;
  read(): Result<string | undefined, string>;
  create(): Result<string, string>;
}

/** The token to serve with. One is made for this machine; whoever serves others has one already, and has given it to them. */
export function obtainToken(tokens: Tokens, isPublic: boolean): Result<string, Problem> {
  const found = tokens.read();
  if (!found.ok) {
    const fix = `Delete ${tokens.file} and start again: a new token is made, and clients need that one.`;
    return err(problem("bad-token", found.error, fix));
  }
  if (found.value !== undefined) return ok(found.value);
  if (isPublic) {
    return err(
      problem(
        "no-token",
        `There is no token in ${tokens.file}, so nothing would be served to other machines.`,
        "Start it once without --host, which makes the token, and give that to your clients.",
      ),
    );
  }
  const made = tokens.create();
  return made.ok ? made : err(problem("no-token", made.error, "Set FROND_STATE_DIR to a directory of your own."));
}
