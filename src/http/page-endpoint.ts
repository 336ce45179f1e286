import type { Authorise, Endpoint } from "./endpoint.ts";
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

/** Nothing from elsewhere, nothing inline, and in no frame. */
const security = {
  "content-security-policy":
    "default-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The page: its files, and for every other path its frame, which reads from the path what to show. */
export function pageAt(files: PageFiles, authorise: Authorise): Endpoint {
  return {
    path: "/*",
    serves: "The page",
    methods: ["GET"],
    authorise,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const asset = pathname.startsWith("/assets/") ? files.find(pathname.slice("/assets/".length)) : undefined;
      const file = asset ?? (pathname.startsWith("/assets/") ? undefined : files.find("index.html"));
      if (file === undefined) return new Response("There is nothing here.\n", { status: 404, headers: security });
      const keep = file.isFixed ? "private, max-age=31536000, immutable" : "no-store";
      return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
        headers: { ...security, "content-type": file.type, "cache-control": keep },
      });
    },
    async close() {},
  };
}

/**
 * Where a link leads that lets a browser in. It answers with a page that goes on to the right place by itself: a browser that came here
 * from another site would not show the cookie at a redirect.
 */
export function openAt(path: string, visitors: Visitors): Endpoint {
  return {
    path,
    serves: "The way in for browsers",
    methods: ["GET"],
    authorise: () => undefined,
    async fetch(request) {
      const { searchParams, port } = new URL(request.url);
      const cookie = visitors.redeem(searchParams.get("key") ?? "", Number(port || 80));
      const target = localTarget(searchParams.get("to"));
      const headers = { ...security, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
      if (cookie === undefined) return new Response(usedUp, { status: 403, headers });
      const body = `<!doctype html><title>Frond</title><meta http-equiv="refresh" content="0;url=${target}"><a href="${target}">Frond</a>\n`;
      return new Response(body, { headers: { ...headers, "set-cookie": cookie } });
    },
    async close() {},
  };
}

/** A path of this server, and nothing that a page could be made to do by it. */
function localTarget(given: string | null): string {
  return given !== null && /^\/(?![/\\])[\w./@%-]*$/.test(given) ? given : "/";
}

const usedUp =
  "<!doctype html><title>Frond</title><p>This link has been used, or is too old. Run <code>frond ui</code> for another.</p>\n";
