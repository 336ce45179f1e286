import type { JSX } from "preact";
import { useApp } from "../app-context.ts";

/** Said above what stays in sight while nothing is heard of the server. */
export function Lost(): JSX.Element | null {
  const { isConnected, source } = useApp();
  if (isConnected || !source.isLive) return null;
  return (
    <div class="lost">
      <b>Not connected, trying again.</b> What you see is how it was when the server was last heard.
    </div>
  );
}
