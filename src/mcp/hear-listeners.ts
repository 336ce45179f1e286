import { isJSONRPCRequest, type JSONRPCMessage, type Server, type Transport } from "@modelcontextprotocol/server";
import type { Door } from "./door.ts";
import { parseUri, runUri } from "./resource-uris.ts";
import { watchRuns } from "./watch-runs.ts";

/**
 * Modern clients listen for changes by a request that the SDK answers itself: it passes on what the server says has changed, and
 * tells the server nothing. So runs are watched from the first request on that names one; it is held back until they are, so that
 * whoever is told that it listens hears everything. Returns how to stop.
 */
export function hearListeners(transport: Transport, server: () => Server | undefined, door: Door): () => void {
  const { onmessage } = transport;
  let watching: Promise<() => void> | undefined;
  // Whoever is gone hears nothing.
  const tell = (runId: string): void =>
    void server()
      ?.sendResourceUpdated({ uri: runUri(runId) })
      .catch(() => {});
  transport.onmessage = (message, extra) => {
    const pass = (): void => onmessage?.(message, extra);
    if (!namesRun(message)) return pass();
    watching ??= watchRuns(door, tell);
    watching.then(pass, (error: unknown) => {
      watching = undefined;
      door.log("error", `Changes of runs are not told: ${String(error)}`);
      pass();
    });
  };
  return () => void watching?.then((stop) => stop());
}

function namesRun(message: JSONRPCMessage): boolean {
  if (!isJSONRPCRequest(message) || message.method !== "subscriptions/listen") return false;
  const filter = message.params?.notifications as { readonly resourceSubscriptions?: unknown } | undefined;
  const uris = filter?.resourceSubscriptions;
  return Array.isArray(uris) && uris.some((uri) => typeof uri === "string" && parseUri(uri)?.kind === "run");
}
