/** The first of the codes that the protocol leaves to servers. */
const refused = -32_000;

/** An answer that is no result, in the form that clients read. */
export function rpcError(status: number, message: string, code: number = refused): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
