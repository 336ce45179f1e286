import { isJSONRPCRequest, type Transport } from "@modelcontextprotocol/server";
import type { Listening } from "../views/watch-runs.ts";
import { parseUri, runUri } from "./resource-uris.ts";
import type { ServerContext } from "./server-context.ts";

/**
 * Tells modern clients which runs have changed. They listen by a request that the SDK answers itself: it passes on to them what
 * they asked for, and tells nobody what that is. So runs are watched from the first request on that names one.
 */
export interface RunTeller {
  /** Resolves, when the message asks to listen to runs, once they are watched: to be answered only then, so that nothing is missed. */
  hear(message: unknown): Promise<void> | undefined;
  stop(): void;
}

export function createRunTeller(
  context: Pick<ServerContext, "runWatch" | "log">,
  tell: (uri: string) => void,
): RunTeller {
  let listening: Listening | undefined;
  return {
    hear(message) {
      if (!namesRun(message)) return undefined;
      listening ??= context.runWatch.listen((runId) => tell(runUri(runId)));
      return listening.begun.catch((error: unknown) => {
        listening = undefined;
        context.log("error", `Changes of runs are not told: ${String(error)}`);
      });
    },
    stop: () => listening?.stop(),
  };
}

/** Lets the teller hear every message of a connection before it is dealt with. */
export function hearMessages(transport: Transport, teller: RunTeller): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const pass = (): void => onmessage?.(message, extra);
    const heard = teller.hear(message);
    if (heard === undefined) pass();
    else void heard.then(pass);
  };
}

function namesRun(message: unknown): boolean {
  if (!isJSONRPCRequest(message) || message.method !== "subscriptions/listen") return false;
  const filter = message.params?.notifications as { readonly resourceSubscriptions?: unknown } | undefined;
  const uris = filter?.resourceSubscriptions;
  return Array.isArray(uris) && uris.some((uri) => typeof uri === "string" && parseUri(uri)?.kind === "run");
}
