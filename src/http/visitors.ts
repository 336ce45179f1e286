import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compareWith } from "./compare-secrets.ts";
import type { Authorise } from "./endpoint.ts";

/** A link that nobody has opened is worth nothing after this time. */
const linkMs = 10 * 60 * 1000;
const mostLinks = 20;
/** In seconds: as long as a browser is let in without a new link. */
const visitSeconds = 30 * 24 * 60 * 60;

/** The people who have the page open. */
export interface Visitors {
  /** Lets in whoever shows the cookie that a link has set; everybody else is asked for the token. */
  readonly authorise: Authorise;
  /** The key of a link that lets one browser in, once. */
  issueKey(): string;
  /** What a browser is to keep; nothing where the key is used up or was never there. */
  redeem(key: string, port: number): string | undefined;
}

/**
 * The cookie is made of the token and of what this server is there for: it is the same after a restart, and the one of another project
 * opens nothing here. A browser sends a cookie to every port of a machine, so its name has the port in it.
 */
export function createVisitors(token: string, purpose: string, byToken: Authorise): Visitors {
  const cookie = createHmac("sha256", token).update(`page ${purpose}`).digest("base64url");
  const isCookie = compareWith(cookie);
  const keys = new Map<string, number>();
  return {
    authorise(request) {
      const given = cookieOf(request);
      return given !== undefined && isCookie(given) ? undefined : byToken(request);
    },
    issueKey() {
      const key = randomBytes(24).toString("base64url");
      keys.set(key, Date.now() + linkMs);
      for (const oldest of keys.keys()) if (keys.size > mostLinks) keys.delete(oldest);
      return key;
    },
    redeem(key, port) {
      const until = keys.get(key);
      keys.delete(key);
      if (until === undefined || until < Date.now()) return undefined;
      return `${cookieName(port)}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${visitSeconds}`;
    },
  };
}

function cookieName(port: number): string {
  return `frond-${port}`;
}

function cookieOf({ headers, socket }: IncomingMessage): string | undefined {
  const name = cookieName(socket.localPort ?? 0);
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  return pairs.find(([key]) => key === name)?.[1];
}
