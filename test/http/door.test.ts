import { expect, test } from "vitest";
import { openPageDoor, type PageDoor, routes, token } from "../rig/page-door.ts";

type Headers = Readonly<Record<string, string>>;

/** What somebody who is let in to act sends. */
const json = { "content-type": "application/json", "x-frond": "1" };
const bearer = { authorization: `Bearer ${token}` };
const linkFromElsewhere = {
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

interface Asker {
  readonly who: string;
  headers(door: PageDoor): Headers;
  /** What they get from each kind of path. */
  readonly gets: Readonly<
    Record<"read" | "act" | "tokenOnly" | "page" | "open" | "mcp" | "figures" | "health", number>
  >;
}

const all = (status: number): Asker["gets"] => ({
  read: status,
  act: status,
  tokenOnly: status,
  page: status,
  open: status,
  mcp: status,
  figures: status,
  health: status,
});
const withToken = { ...all(200), open: 403 };
const withCookie = { ...all(200), tokenOnly: 403, mcp: 401, figures: 401 };
const stranger = { ...all(401), open: 403, health: 200 };
const cookie = (door: PageDoor): Headers => ({ cookie: door.cookie() });
const cookieAnd = (more: Headers) => (door: PageDoor) => ({ ...cookie(door), ...json, ...more });
const tokenAnd = (more: Headers) => () => ({ ...bearer, ...json, ...more });

const askers: readonly Asker[] = [
  { who: "nobody", headers: () => json, gets: stranger },
  { who: "the token", headers: tokenAnd({}), gets: withToken },
  { who: "the token, in small letters", headers: tokenAnd({ authorization: `bearer ${token}` }), gets: withToken },
  { who: "a wrong token", headers: tokenAnd({ authorization: `Bearer ${token}x` }), gets: stranger },
  { who: "half of the token", headers: tokenAnd({ authorization: `Bearer ${token.slice(2)}` }), gets: stranger },
  { who: "the token by another scheme", headers: tokenAnd({ authorization: `Basic ${token}` }), gets: stranger },
  { who: "the cookie", headers: cookieAnd({}), gets: withCookie },
  {
    who: "the cookie and a wrong token",
    headers: cookieAnd({ authorization: "Bearer x" }),
    gets: { ...stranger, open: 200 },
  },
  {
    who: "the token as the cookie",
    headers: (door) => ({ ...json, cookie: `frond-${door.port}=${token}` }),
    gets: stranger,
  },
  {
    who: "a cookie of another port",
    headers: (door) => ({ ...json, cookie: door.cookie().replace(/-\d+/, "-1") }),
    gets: stranger,
  },
  {
    who: "a cookie with a later end",
    headers: (door) => ({ ...json, cookie: door.cookie().replace("=", "=9") }),
    gets: stranger,
  },
  {
    who: "the cookie beside one of the same name",
    headers: (door) => ({ ...json, cookie: `frond-${door.port}=x; ${door.cookie()}` }),
    gets: withCookie,
  },
  {
    who: "the cookie, as its own page",
    headers: (door) => ({
      ...cookieAnd({})(door),
      origin: `http://127.0.0.1:${door.port}`,
      "sec-fetch-site": "same-origin",
    }),
    gets: withCookie,
  },
  { who: "the cookie, typed by a person", headers: cookieAnd({ "sec-fetch-site": "none" }), gets: withCookie },
  {
    who: "the cookie, from a page of another site",
    headers: cookieAnd({ "sec-fetch-site": "cross-site" }),
    gets: all(403),
  },
  {
    who: "the cookie, from a page of another port",
    headers: cookieAnd({ "sec-fetch-site": "same-site" }),
    gets: all(403),
  },
  {
    who: "the cookie, from a page of a kind that is not known",
    headers: cookieAnd({ "sec-fetch-site": "odd" }),
    gets: all(403),
  },
  {
    who: "the cookie, by a link of another site",
    headers: cookieAnd(linkFromElsewhere),
    gets: { ...all(403), page: 200, open: 200 },
  },
  {
    who: "the cookie, in a frame of another port",
    headers: cookieAnd({ ...linkFromElsewhere, "sec-fetch-site": "same-site", "sec-fetch-dest": "iframe" }),
    gets: all(403),
  },
  {
    who: "the cookie, as a script of another port",
    headers: cookieAnd({ "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }),
    gets: all(403),
  },
  { who: "the cookie and another origin", headers: cookieAnd({ origin: "http://evil.example" }), gets: all(403) },
  {
    who: "the cookie and the origin of another port",
    headers: cookieAnd({ origin: "http://127.0.0.1:1" }),
    gets: all(403),
  },
  { who: "the cookie and no origin to name", headers: cookieAnd({ origin: "null" }), gets: all(403) },
  { who: "the token and another origin", headers: tokenAnd({ origin: "http://evil.example" }), gets: all(403) },
  { who: "the token and another site", headers: tokenAnd({ "sec-fetch-site": "cross-site" }), gets: all(403) },
  { who: "the cookie and another host", headers: cookieAnd({ host: "evil.example" }), gets: all(403) },
  { who: "the token and another host", headers: tokenAnd({ host: "evil.example:80" }), gets: all(403) },
  { who: "the token and a host that is allowed", headers: tokenAnd({ host: "frond.example" }), gets: withToken },
  {
    who: "the cookie and no content type",
    headers: (door) => ({ ...cookie(door), "x-frond": "1" }),
    gets: { ...withCookie, act: 415, tokenOnly: 415 },
  },
  {
    who: "the cookie and a form",
    headers: cookieAnd({ "content-type": "application/x-www-form-urlencoded" }),
    gets: { ...withCookie, act: 415, tokenOnly: 415 },
  },
  {
    who: "the cookie and text that calls itself JSON",
    headers: cookieAnd({ "content-type": "text/plain; application/json" }),
    gets: { ...withCookie, act: 415, tokenOnly: 415 },
  },
  {
    who: "the token and text",
    headers: tokenAnd({ "content-type": "text/plain" }),
    gets: { ...withToken, act: 415, tokenOnly: 415, mcp: 415 },
  },
  {
    who: "the cookie without the own header",
    headers: (door) => ({ ...cookie(door), "content-type": "application/json" }),
    gets: { ...withCookie, act: 403 },
  },
  {
    who: "the token without the own header",
    headers: () => ({ ...bearer, "content-type": "application/json" }),
    gets: { ...withToken, act: 403, tokenOnly: 403 },
  },
];

interface Target {
  readonly kind: keyof Asker["gets"];
  readonly method: string;
  readonly path: string;
}

const targets: readonly Target[] = [
  ...routes.map(({ method, path, isForToken }): Target => {
    const kind = isForToken ? "tokenOnly" : method === "POST" ? "act" : "read";
    return { kind, method, path: `/api${path.replaceAll(/[:*]\w+/g, "x")}` };
  }),
  { kind: "page", method: "GET", path: "/" },
  { kind: "page", method: "HEAD", path: "/runs/x" },
  { kind: "page", method: "GET", path: "/assets/main.js" },
  { kind: "open", method: "GET", path: "/open" },
  { kind: "mcp", method: "POST", path: "/mcp" },
  { kind: "figures", method: "GET", path: "/metrics" },
  { kind: "health", method: "GET", path: "/healthz" },
  { kind: "health", method: "HEAD", path: "/healthz" },
];

test.each(askers)("every path knows who may ask: $who", async ({ headers, gets }) => {
  const door = await openPageDoor();
  const statuses = await Promise.all(
    targets.map(async ({ kind, method, path }) => {
      const { status, headers: given } = await door.send(method, path, headers(door));
      expect(given["content-security-policy"], path).toMatch(/^default-src '(self|none)';.*frame-ancestors 'none'/);
      expect(given["x-content-type-options"], path).toBe("nosniff");
      expect(Object.keys(given).filter((name) => name.startsWith("access-control"))).toEqual([]);
      return [`${method} ${path}`, kind, status];
    }),
  );
  expect(statuses).toEqual(targets.map(({ kind, method, path }) => [`${method} ${path}`, kind, gets[kind]]));
});

test("there are at least thirty who ask, and every route is asked for", () => {
  expect(askers.length).toBeGreaterThanOrEqual(30);
  expect(targets.length).toBe(routes.length + 8);
});

test("other methods are refused everywhere", async () => {
  const door = await openPageDoor();
  for (const { path, kind } of targets) {
    for (const method of ["PUT", "PATCH", "OPTIONS", ...(kind === "mcp" ? [] : ["DELETE"])]) {
      const { status } = await door.send(method, path, { ...bearer, ...json });
      expect([method, path, status]).toEqual([method, path, 405]);
    }
  }
});

test("a server that only reads refuses every route that acts, and no other", async () => {
  const door = await openPageDoor({ isReadOnly: true });
  for (const [index, { method, effect }] of routes.entries()) {
    const { path = "" } = targets[index] ?? {};
    const { status, body } = await door.send(method, path, { ...bearer, ...json });
    expect([path, status]).toEqual([path, effect === "acts" ? 403 : 200]);
    if (effect === "acts") expect(JSON.parse(body)).toMatchObject({ error: { code: "read-only" } });
  }
});

test("refusals are worded for those who ask", async () => {
  const { send } = await openPageDoor();
  const api = await send("GET", "/api/runs");
  expect(JSON.parse(api.body)).toEqual({ error: { code: "no-token", message: expect.stringContaining("frond ui") } });
  const mcp = await send("POST", "/mcp", json);
  expect(JSON.parse(mcp.body)).toMatchObject({ jsonrpc: "2.0", error: { code: -32_000 } });
  const page = await send("GET", "/runs/x");
  expect([page.status, page.headers["content-type"]]).toEqual([401, "text/html; charset=utf-8"]);
  expect(page.body).toContain("Run <code>frond ui</code>");
  expect(page.headers["content-security-policy"]).toMatch(/style-src 'sha256-[\w+/]+=*'/);
});

test("a link lets one browser in, once, and goes on to a path of this server alone", async () => {
  const { send, visitors, port } = await openPageDoor();
  const key = visitors.issueKey();
  const opened = await send("GET", `/open?key=${key}&to=/runs/run_1`);
  expect(opened.body).toContain('content="0;url=/runs/run_1"');
  const [cookie = ""] = opened.headers["set-cookie"] ?? [];
  expect(cookie).toMatch(
    new RegExp(`^frond-${port}=\\d+\\.[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`),
  );
  const [own = ""] = cookie.split(";");
  expect((await send("GET", "/", { cookie: own })).status).toBe(200);
  const again = await send("GET", `/open?key=${key}`);
  expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
  expect(again.body).toContain("<code>frond ui</code>");
  expect((await send("GET", `/open?key=${key}`, { cookie: own })).status).toBe(200);
  for (const to of ["//evil.example", "/\\evil.example", "https://evil.example", 'x"><script>', "/a;url=b"]) {
    const { body } = await send("GET", `/open?key=${visitors.issueKey()}&to=${encodeURIComponent(to)}`);
    expect(body).toContain('content="0;url=/"');
  }
});

test("a link that nobody has opened is worth nothing after ten minutes, and a cookie after thirty days", async () => {
  let now = 1_800_000_000_000;
  const { send, visitors, cookie } = await openPageDoor({ now: () => now });
  const own = { cookie: cookie() };
  const key = visitors.issueKey();
  now += 10 * 60_000 + 1;
  expect((await send("GET", `/open?key=${key}`)).status).toBe(403);
  expect((await send("GET", "/", own)).status).toBe(200);
  now += 30 * 24 * 60 * 60_000;
  expect((await send("GET", "/", own)).status).toBe(401);
});

test("of many links only the newest twenty count", async () => {
  const { send, visitors } = await openPageDoor();
  const [first = "", second = ""] = Array.from({ length: 21 }, () => visitors.issueKey());
  expect((await send("GET", `/open?key=${first}`)).status).toBe(403);
  expect((await send("GET", `/open?key=${second}`)).status).toBe(200);
});

test("the cookie of another project, or of a server that only reads, opens nothing here", async () => {
  const key = JSON.stringify({ roots: ["/a"], isReadOnly: false });
  const here = await openPageDoor({ purpose: key });
  for (const purpose of [key.replace("/a", "/b"), key.replace("false", "true")]) {
    const other = await openPageDoor({ purpose });
    const foreign = other.cookie().replace(String(other.port), String(here.port));
    expect((await here.send("GET", "/api/runs", { cookie: foreign })).status).toBe(401);
  }
  const restarted = await openPageDoor({ purpose: key });
  const kept = here.cookie().replace(String(here.port), String(restarted.port));
  expect((await restarted.send("GET", "/api/runs", { cookie: kept })).status).toBe(200);
});
