import { randomBytes } from "node:crypto";
import type { ServerSettings } from "../runs/server-settings.ts";
import { ownHeader } from "./api-endpoint.ts";
import { compareWith } from "./compare-secrets.ts";
import { proveToken } from "./prove-token.ts";
import { reachable } from "./reachable.ts";
import type { Admission } from "./serve-http.ts";

/** A server on this machine answers at once; what does not is something else. */
const longestMs = 2_000;

/** A server that is there for the same project, and a link that lets a browser in there. */
export interface FoundServer {
  readonly url: string;
  readonly link: string;
}

/**
 * Looks for a server of ours on the ports. Any program may listen there, also one of another user: it is shown the token only after
 * it has proved that it knows it.
 */
export async function findServer(
  { address, token }: Pick<Admission, "address" | "token">,
  settings: Pick<ServerSettings, "roots" | "isReadOnly">,
  ports: readonly number[],
): Promise<FoundServer | undefined> {
  const host = address.includes(":") ? `[${address}]` : address;
  const looks = ports
    .filter((port) => port !== 0)
    .map((port) => askServer(reachable(`http://${host}:${port}`), port, token, settings).catch(() => undefined));
  return (await Promise.all(looks)).find((found) => found !== undefined);
}

async function askServer(
  url: string,
  port: number,
  token: string,
  { roots, isReadOnly }: Pick<ServerSettings, "roots" | "isReadOnly">,
): Promise<FoundServer | undefined> {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url + path, { redirect: "error", signal: AbortSignal.timeout(longestMs), ...init });
  const challenge = randomBytes(24).toString("base64url");
  const proof = await (await ask(`/open?challenge=${challenge}`)).text();
  if (!compareWith(proveToken(token, port, challenge))(proof)) return undefined;
  const authorization = `Bearer ${token}`;
  const server = (await (await ask("/api/server", { headers: { authorization } })).json()) as Partial<ServerRecord>;
  const isSame = [...(server.roots ?? [])].sort().join("\n") === [...roots].sort().join("\n");
  if (!isSame || server.read_only !== isReadOnly) return undefined;
  const headers = { authorization, "content-type": "application/json", [ownHeader]: "1" };
  const { url: link } = (await (await ask("/api/links", { method: "POST", headers, body: "{}" })).json()) as {
    url?: string;
  };
  return link === undefined ? undefined : { url, link };
}

interface ServerRecord {
  readonly roots: readonly string[];
  readonly read_only: boolean;
}
