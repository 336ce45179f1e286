import type { BlockContext } from "../../block/define-block.ts";
import type { ProcessRequest, RootedPath } from "../../block/ports.ts";
import { absolutePath } from "../../block/rooted-path.ts";

/** How a block runs git in a place: it is asked nothing, and what it says is read when it has ended. */
export function gitRequest(
  { signal, runId }: BlockContext,
  at: RootedPath,
  given: Pick<ProcessRequest, "file" | "args" | "env" | "maxOutput">,
): ProcessRequest {
  return {
    ...given,
    cwd: absolutePath(at),
    within: at.root,
    stdin: "",
    capture: true,
    keepBackground: false,
    owner: runId,
    signal,
  };
}

/** What commands inherit, without what tells git of another repository than the one it is run in. */
export function withoutRepository({ environment: { variables } }: BlockContext): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("GIT_")));
}
