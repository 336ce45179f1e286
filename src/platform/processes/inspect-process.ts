import { spawn } from "node:child_process";
import type { Inspection } from "../../block/ports.ts";

const longestMs = 5_000;
const mostCharacters = 10_000;

/** See `Processes.inspect`. Messages come in English, so that they can be recognised. */
export function inspectProcess(file: string, args: readonly string[], stdin: string): Promise<Inspection | undefined> {
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: "C" };
    const child = spawn(file, args, { cwd: "/", env, stdio: ["pipe", "ignore", "pipe"], timeout: longestMs });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < mostCharacters) stderr += text;
    });
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => resolve(code === null ? undefined : { exitCode: code, stderr }));
    // Whoever has seen enough closes its standard input, which is no error of ours.
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
}
