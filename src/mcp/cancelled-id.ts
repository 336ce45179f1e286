import { isJSONRPCNotification } from "@modelcontextprotocol/server";

/** The id of the request that a message takes back, if it does. */
export function cancelledId(message: unknown): string | number | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return undefined;
  const { requestId } = (message.params ?? {}) as { requestId?: string | number };
  return requestId;
}
