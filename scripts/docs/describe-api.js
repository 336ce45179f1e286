// The API of the built server over HTTP, as it describes it itself, and its routes as a table.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

export async function describeApi() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-docs-")));
  const state = join(root, "state");
  const env = { PATH: process.env.PATH, HOME: root, FROND_STATE_DIR: state };
  const args = [resolve("dist/main.js"), "serve", "--http", "0"];
  const server = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => server.once("close", resolve));
  try {
    const url = await listeningUrl(server.stderr);
    const authorization = `Bearer ${readFileSync(join(state, "http-token"), "utf8").trim()}`;
    const response = await fetch(new URL("/api/openapi.json", url), { headers: { authorization } });
    if (!response.ok) throw new Error(`The server does not describe its API: ${await response.text()}`);
    return await response.json();
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(root, { recursive: true, force: true });
  }
}

async function listeningUrl(stderr) {
  for await (const line of createInterface({ input: stderr })) {
    const { message, url } = JSON.parse(line);
    if (message === "listening") return url;
  }
  throw new Error("The server has ended before it listened.");
}

export function routeTable({ paths }) {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, parameters = [], requestBody }]) => {
      const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => `\`${name}\``);
      const fields = Object.keys(requestBody?.content["application/json"].schema.properties ?? {});
      const takes = [...query, ...fields.map((field) => `\`${field}\``)].join(", ");
      return `| \`${method.toUpperCase()} ${path}\` | ${takes} | ${summary.replaceAll("|", "\\|")} |`;
    }),
  );
  return ["| route | takes | |", "|---|---|---|", ...rows].join("\n");
}
