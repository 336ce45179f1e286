import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres, withClient } from "./postgres.ts";
import { waitFor } from "./wait-for.ts";

test("a server keeps what it has committed when it is stopped and started", async () => {
  const server = await startPostgres();
  const url = await server.createDatabase();
  await withClient(url, (client) => client.query("CREATE TABLE kept AS SELECT 7 AS number"));
  for (const mode of ["fast", "immediate"] as const) {
    await server.stop(mode);
    await server.start();
    const { rows } = await withClient(url, (client) => client.query("SELECT number FROM kept"));
    expect(rows).toEqual([{ number: 7 }]);
  }
});

test("a server ends with the process that started it, also one that is killed", async () => {
  const contents = `
    import { startOwnPostgres } from "./postgres.ts";
    startOwnPostgres().then(({ port }) => console.log(port));
    setInterval(() => {}, 1000);
  `;
  const built = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
  });
  const program = built.outputFiles[0]?.text ?? "";
  const child = spawn(process.execPath, ["--input-type=module"], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(program);
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  expect(serversAt(port)).toBeGreaterThan(0);
  child.kill("SIGKILL");
  await waitFor("the server to be gone", () => serversAt(port) === 0);
});

function serversAt(port: string): number {
  const commands = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf);
  return commands.filter((command) => command.includes(`bin/postgres\0`) && command.includes(`port=${port}\0`)).length;
}

function commandOf(pid: string): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return command.startsWith("sh\0") ? "" : command;
  } catch {
    return "";
  }
}
