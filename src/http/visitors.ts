import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compareWith } from "./compare-secrets.ts";
import type { Authorise } from "./endpoint.ts";

/** A link that nobody has opened is worth nothing after this time. */
const linkMs = 10 * 60 * 1000;
const mostLinks = 20;
/** As long as a browser is let in without a new link. */
const visitSeconds = 30 * 24 * 60 * 60;

/** The people who have the page open. */
export interface Visitors {
  /** Lets in whoever shows the cookie that a link has set; whoever shows a token instead is judged by that alone. */
  readonly authorise: Authorise;
  /** Whether the cookies that came with a request, as one header, let somebody in. */
  isKnown(cookies: string, host: string): boolean;
  /** The key of a link that lets one browser in, once. */
  issueKey(): string;
  /** What a browser is to keep; nothing where the key is used up or was never there. */
  redeem(key: string, host: string): string | undefined;
}

export interface VisitorsOptions {
  readonly token: string;
  /** What this server is there for: the cookie of one that is there for something else opens nothing here. */
  readonly purpose: string;
  readonly byToken: Authorise;
  /** In milliseconds. */
  now(): number;
}

/**
 * A cookie is the moment until which it counts, signed with a key that is made of the token and the purpose: nothing has to be remembered,
 * so it counts after a restart, and one of another project opens nothing here. A browser sends its cookies to every port of a
 * machine, so the name has the port in it: the one that the browser knows, which a proxy or a forwarded port may have changed.
 */
export function createVisitors({ token, purpose, byToken, now }: VisitorsOptions): Visitors {
  const signingKey = createHmac("sha256", token).update(`page ${purpose}`).digest();
  const sign = (until: string): string => createHmac("sha256", signingKey).update(until).digest("base64url");
  const keys = new Map<string, number>();

  function isValid(cookie: string): boolean {
    const [until = "", signature = ""] = cookie.split(".", 2);
    return compareWith(sign(until))(signature) && Number(until) * 1000 > now();
  }
  const isKnown = (cookies: string, host: string): boolean => valuesOf(cookieName(host), cookies).some(isValid);
  return {
    isKnown,
    authorise(request) {
      const { authorization, cookie = "", host = "" } = request.headers;
      return authorization === undefined && isKnown(cookie, host) ? undefined : forPeople(byToken(request), request);
    },
    issueKey() {
      const key = randomBytes(24).toString("base64url");
      keys.set(key, now() + linkMs);
      for (const oldest of keys.keys()) if (keys.size > mostLinks) keys.delete(oldest);
      return key;
    },
    redeem(key, host) {
      const until = keys.get(key);
      keys.delete(key);
      if (until === undefined || until < now()) return undefined;
      const visit = String(Math.floor(now() / 1000) + visitSeconds);
      return `${cookieName(host)}=${visit}.${sign(visit)}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${visitSeconds}`;
    },
  };
}

type Refused = ReturnType<Authorise>;

function forPeople(refused: Refused, { headers }: IncomingMessage): Refused {
  if (refused === undefined || headers.authorization !== undefined) return refused;
  return { ...refused, message: `Open the page with the link that \`frond ui\` gives. ${refused.message}` };
}

function cookieName(host: string): string {
  return `frond-${/:(\d+)$/.exec(host)?.[1] ?? "80"}`;
}

/** A page of another port can add one of the same name, and must not be able to shut somebody out by that. */
function valuesOf(name: string, cookies: string): string[] {
  const pairs = cookies.split(";").map((pair) => pair.trim().split("=", 2));
  return pairs.flatMap(([key, value = ""]) => (key === name ? [value] : []));
}
