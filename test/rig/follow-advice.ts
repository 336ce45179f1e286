import { literalCalls } from "./literal-calls.ts";
import type { Connected, Reply } from "./mcp.ts";

/** All that a reply advises. */
export function adviceIn({ data }: Reply): string {
  const fixes = (data.errors ?? []).map(({ fix }: { readonly fix?: string }) => fix);
  return [data.message, ...fixes, ...(data.warnings ?? [])].filter(Boolean).join("\n");
}

/** Makes the one call that the reply names, as it stands there; `own` is what only the caller knows. */
export async function follow(reply: Reply, { call }: Connected, own: object = {}): Promise<Reply["data"]> {
  const [named, ...others] = literalCalls(adviceIn(reply));
  if (named === undefined || others.length > 0) throw new Error(`It has to name one call: ${adviceIn(reply)}`);
  return (await call(named.tool, { ...named.args, ...own })).data;
}
