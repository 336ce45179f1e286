import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { type HttpDoor, modernRequest, openHttpDoor } from "../rig/http-door.ts";

const list = (): RequestInit => modernRequest("tools/list", {});

/** With headers that fetch keeps to itself. */
function sendAs(door: HttpDoor, headers: Readonly<Record<string, string | readonly string[]>>): Promise<number> {
  const { method = "", body, headers: usual } = list();
  const host = new URL(door.url).host;
  const all = { host, ...(usual as object), authorization: `Bearer ${door.token}`, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]));
  return new Promise((resolve, reject) => {
    const sent = request(
      door.url,
      { method, headers: [...lines, "content-length", String(Buffer.byteLength(String(body)))] },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

async function messageOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message;
}

test("without the right token nothing is served, and the refusal says where the token is", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  for (const authorization of ["", `Bearer ${door.token}x`, `Bearer ${door.token.slice(1)}`, `Basic ${door.token}`]) {
    const refused = await door.send({ ...list(), headers: { ...list().headers, authorization } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer realm="frond"/);
    expect(await messageOf(refused)).toContain(join(frond.state, "http-token"));
  }
  expect((await door.send({ headers: { authorization: "" } }, "/elsewhere")).status).toBe(401);
  expect((await door.send(list())).status).toBe(200);
});

test("the token is made once, for its owner only, and is never written to the log", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const file = join(frond.state, "http-token");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(door.token, "base64url")).toHaveLength(32);
  await door.send(list());
  door.running.child.kill("SIGTERM");
  const { stderr, stdout } = await door.running.ended;
  expect(stderr).toContain(file);
  expect(stderr + stdout).not.toContain(door.token);
  expect((await openHttpDoor(frond)).token).toBe(door.token);
});

test("a token that others can read, a link or an empty file is refused, with what to do about it", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  door.running.child.kill("SIGTERM");
  await door.running.ended;
  const file = join(frond.state, "http-token");
  chmodSync(file, 0o640);
  expect(await frond.run(["serve", "--http", "0"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/can be read by others[\s\S]*Delete .*http-token/),
  });
  rmSync(file);
  writeFileSync(file, "", { mode: 0o600 });
  expect((await frond.run(["serve", "--http", "0"])).stderr).toContain("holds no token");
  rmSync(file);
  writeFileSync(join(frond.state, "elsewhere"), readFileSync("/dev/null"), { mode: 0o600 });
  symlinkSync(join(frond.state, "elsewhere"), file);
  expect((await frond.run(["serve", "--http", "0"])).stderr).toContain("symbolic link");
});

test("other machines are served only when the user asks for it and there is a token already", async () => {
  const frond = createFrond();
  const refused = await frond.run(["serve", "--http", "0", "--host", "0.0.0.0"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("once without --host");
  expect(existsSync(join(frond.state, "http-token"))).toBe(false);
  const first = await openHttpDoor(frond);
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const second = await openHttpDoor(frond, ["--host", "0.0.0.0"]);
  expect((await fetch(second.url.replace("0.0.0.0", "127.0.0.1"))).status).toBe(401);
});

test("a name or a page that is not the server's own gets 403, whatever token it shows", async () => {
  const door = await openHttpDoor(createFrond(), ["--allow-host", "frond.example,other.example:8443"]);
  const { port } = door;
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, "other.example"]) {
    expect([host, await sendAs(door, { host })]).toEqual([host, 403]);
  }
  const allowed = [`127.0.0.1:${port}`, `LOCALHOST:${port}`, "frond.example", `frond.example:${port}`];
  for (const host of [...allowed, "other.example:8443"]) {
    expect([host, await sendAs(door, { host })]).toEqual([host, 200]);
  }
  for (const origin of ["null", "http://evil.example", `http://127.0.0.1:${port + 1}`, `file://127.0.0.1:${port}`]) {
    expect([origin, await sendAs(door, { origin })]).toEqual([origin, 403]);
  }
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, "https://frond.example"]) {
    expect([origin, await sendAs(door, { origin })]).toEqual([origin, 200]);
  }
});

test("a request that names two hosts is refused, whichever of them is the server's", async () => {
  const door = await openHttpDoor(createFrond());
  const own = new URL(door.url).host;
  for (const host of [
    [own, "evil.example"],
    ["evil.example", own],
  ]) {
    expect([host, await sendAs(door, { host })]).toEqual([host, 403]);
  }
});

test("no page of another origin is told that it may read anything", async () => {
  const door = await openHttpDoor(createFrond());
  const preflight = await door.send({ method: "OPTIONS", headers: { "access-control-request-method": "POST" } });
  const answer = await door.send(list());
  for (const { headers } of [preflight, answer]) {
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
  expect(preflight.status).toBe(405);
});

test("what is no request is refused with what is wrong with it", async () => {
  const door = await openHttpDoor(createFrond());
  const status = async (init: RequestInit, path?: string): Promise<number> => (await door.send(init, path)).status;
  expect(await status(list(), "/")).toBe(405);
  expect(await status({ method: "PUT", body: "{}" })).toBe(405);
  expect(await status({ ...list(), headers: { ...list().headers, "content-type": "text/plain" } })).toBe(415);
  expect(await status({ ...list(), body: "{" })).toBe(400);
  expect(await status({ ...list(), body: `"${"x".repeat(10_000_001)}"` })).toBe(413);
  expect(await status({ headers: { accept: "text/event-stream" } })).toBe(400);
  expect(await status({ headers: { accept: "text/event-stream", "mcp-session-id": "nobody" } })).toBe(404);
  expect(await status({ method: "DELETE" })).toBe(400);
  expect(await status({ headers: { "x-long": "x".repeat(20_000) } })).toBe(431);
  expect(await status(list())).toBe(200);
});

test("a body that is too large is refused before it has been sent whole", async () => {
  const door = await openHttpDoor(createFrond());
  const { headers } = list();
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536, 32)) });
  const response = await door.send({ method: "POST", headers, body: endless, duplex: "half" } as RequestInit);
  expect(response.status).toBe(413);
});

test("a port that is taken is told with what to do", async () => {
  const frond = createFrond();
  const { port } = await openHttpDoor(frond);
  const refused = await frond.run(["serve", "--http", String(port)]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
});

test("options of the HTTP server without it are refused", async () => {
  const frond = createFrond();
  expect((await frond.run(["serve", "--host", "127.0.0.1"])).stderr).toContain("Add --http");
  expect((await frond.run(["serve", "--http", "70000"])).stderr).toContain("0 to 65535");
});
