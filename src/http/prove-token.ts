import { createHmac } from "node:crypto";

/** What only a server that has the token can say to a challenge, and only the one that listens on this port. */
export function proveToken(token: string, port: number, challenge: string): string {
  return createHmac("sha256", token).update(`server ${port} ${challenge}`).digest("base64url");
}
