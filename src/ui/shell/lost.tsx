import type { JSX } from "preact";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { Copy } from "../look/copy.tsx";

/** Said above what stays in sight while nothing is heard of the server, or it lets this browser in no more. */
export function Lost({ problem }: { readonly problem?: ApiProblem | undefined }): JSX.Element | null {
  const { isConnected, source } = useApp();
  if (problem?.status === 401)
    return (
      <div class="lost" role="alert">
        <b>The server does not let this browser in any more.</b> Get a new link with <Copy text="frond ui" /> and open
        it.
      </div>
    );
  if (isConnected || !source.isLive) return null;
  return (
    <div class="lost">
      <b>Not connected, trying again.</b> What you see is how it was when the server was last heard. If it has ended,
      start it again with <Copy text="frond ui" />.
    </div>
  );
}
