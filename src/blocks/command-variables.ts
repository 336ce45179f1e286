import { BlockCannotRun, type BlockContext } from "../block/define-block.ts";
import { idempotencyKeyVariable, runIdVariable } from "../block/run-variables.ts";

/** What the commands of a block have in their environment beside what they inherit: the input `env`, and what they are known by. */
export function commandVariables(
  env: Readonly<Record<string, string | number | boolean>>,
  { runId, idempotencyKey }: BlockContext,
): Record<string, string> {
  const added = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  for (const [name, value] of Object.entries(added)) {
    if (name === "" || /[=\0]/.test(name))
      throw new BlockCannotRun(`env '${name}' is no name of an environment variable.`);
    if (value.includes("\0"))
      throw new BlockCannotRun(`env '${name}' holds a NUL character, which no environment variable can hold.`);
  }
  return { [runIdVariable]: runId, [idempotencyKeyVariable]: idempotencyKey, ...added };
}
