import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { initialize, startRaw } from "../rig/raw-mcp.ts";

test("a server on standard input and output loads nothing of what HTTP and templates need before its first answer", async () => {
  const frond = createFrond({
    "note.cjs":
      "process.on('exit', () => require('node:fs').writeFileSync('loaded', process.moduleLoadList.join('\\n')));",
  });
  const server = startRaw(frond, [], { NODE_OPTIONS: `--require=${join(frond.directory, "note.cjs")}` });
  await initialize(server);
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  const loaded = readFileSync(join(frond.directory, "loaded"), "utf8").split("\n");
  expect(loaded).toContain("NativeModule crypto");
  // Each costs every client milliseconds of its start.
  const costly = ["http", "http2", "https", "tls", "zlib", "worker_threads", "internal/deps/undici/undici"];
  expect(costly.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});
