import { gzipSync } from "node:zlib";
import type { Authorise, Endpoint, Refusal } from "./endpoint.ts";
import { plainPage } from "./plain-page.ts";
import { pageSecurity } from "./security.ts";
import type { Visitors } from "./visitors.ts";

/** A file of the page, as the build has left it. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Its name changes with its contents. */
  readonly isFixed: boolean;
}

export interface PageFiles {
  find(name: string): PageFile | undefined;
}

const assets = "/assets/";

/** The page: its files, and for every other path its frame, which reads from the path what to show. */
export function pageAt(files: PageFiles, authorise: Authorise): Endpoint {
  const gzipped = new WeakMap<PageFile, Uint8Array>();
  const compress = (file: PageFile): Uint8Array => {
    const bytes = gzipped.get(file) ?? gzipSync(file.bytes, { level: 9 });
    gzipped.set(file, bytes);
    return bytes;
  };
  return {
    path: "/*",
    serves: "The page",
    methods: ["GET", "HEAD"],
    authorise,
    takesLinks: true,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const name = pathname.startsWith(assets) ? pathname.slice(assets.length) : "index.html";
      const file = files.find(name);
      if (file === undefined) return plainPage(404, "There is nothing here", ["The address may be mistyped."]);
      const keep = file.isFixed ? "private, max-age=31536000, immutable" : "no-store";
      const headers = { ...pageSecurity, "content-type": file.type, "cache-control": keep, vary: "accept-encoding" };
      const [body, encoding] = takesGzip(request) ? [compress(file), { "content-encoding": "gzip" }] : [file.bytes, {}];
      return new Response(body as Uint8Array<ArrayBuffer>, { headers: { ...headers, ...encoding } });
    },
    refuse: tellPerson,
  };
}

/** What is compressed is the same for everybody: answers of the API, which may hold what others wrote beside what is secret, never are. */
function takesGzip(request: Request): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers.get("accept-encoding") ?? "");
}

/** For somebody at a browser, who sees nothing else. */
function tellPerson({ status, message }: Refusal): Response {
  if (status !== 401) return plainPage(status, "This can't be shown", [message]);
  const sentences = [
    "Run `frond ui` in the project: it opens this page, or gives a link that lets this browser in.",
    "The page of one project can't be seen with the link of another, and a browser is forgotten after 30 days.",
  ];
  return plainPage(status, "This browser is not let in yet", sentences);
}

/**
 * Where a link leads that lets a browser in. It answers with a page that goes on to the right place by itself: a browser that came here
 * from another site would not show the cookie at a redirect. A browser that is let in already goes on with any link.
 *
 * With `challenge` it proves that it knows the token, so that whoever has the token can find out whom they would show it to. The
 * proof is for this port: another program can't get it here and show it elsewhere.
 */
export function openAt(path: string, visitors: Visitors, prove: (challenge: string) => string): Endpoint {
  return {
    path,
    serves: "The way in for browsers",
    methods: ["GET"],
    takesLinks: true,
    async fetch(request) {
      const { searchParams, host } = new URL(request.url);
      const challenge = searchParams.get("challenge");
      if (challenge !== null) return new Response(prove(challenge), { headers: { "cache-control": "no-store" } });
      const cookie = visitors.redeem(searchParams.get("key") ?? "", host);
      const target = localTarget(searchParams.get("to"));
      if (cookie === undefined && !visitors.isKnown(request.headers.get("cookie") ?? "", host)) {
        return plainPage(403, "This link is used up", ["It works once, for ten minutes. Run `frond ui` for another."]);
      }
      const goOn = `<meta http-equiv="refresh" content="0;url=${target}">`;
      const answer = plainPage(200, "The page opens", ["It should be here in a moment."], goOn);
      if (cookie !== undefined) answer.headers.set("set-cookie", cookie);
      return answer;
    },
    refuse: tellPerson,
  };
}

/** A path of this server, and nothing that a page could be made to do by it. */
function localTarget(given: string | null): string {
  return given !== null && /^\/(?![/\\])[\w./@%-]*$/.test(given) ? given : "/";
}
