import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

export function bundleServer(outfile) {
  return build({
    entryPoints: ["test/conformance/main.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "warning",
    external: ["@cfworker/json-schema", "libsql", "re2js"],
    // Where it finds the files that are installed with it.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(resolve("dist/app.cjs")).href) },
    banner: { js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);" },
  });
}

/** The server under test, on this Node; it is ready when it listens. */
export function startServer(bundle, directory, proxyPort) {
  const args = ["serve", "--http", "0", "--workspace", directory, "--allow-host", `localhost:${proxyPort}`];
  const child = spawn(process.execPath, [bundle, ...args], {
    env: {
      ...process.env,
      FROND_STATE_DIR: join(directory, "state"),
      FROND_LOG_LEVEL: "info",
      WORKFLOWS_TEMPLATE_PATHS: resolve("test/conformance/workflows"),
    },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const ended = new Promise((done) => child.once("close", done));
  const ready = new Promise((done, fail) => {
    void ended.then(() => fail(new Error("The server has ended.")));
    createInterface({ input: child.stderr }).on("line", (line) => {
      const { level, url, token_file: tokenFile } = readLogLine(line);
      if (level !== "info") console.error(line);
      if (tokenFile === undefined) return;
      const { hostname, port } = new URL(url);
      done({ hostname, port, authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` });
    });
  });
  return {
    ready,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** What is no line of the log is a crash, and worth seeing. */
function readLogLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
