import { spawn } from "node:child_process";
import { err, ok, type Result } from "../../util/result.ts";

type Problem = { readonly kind: "no-program" } | { readonly kind: "refused"; readonly message: string };

/** By the program `crontab`, which knows where the system keeps it, and who may have one. */
export const systemCrontab = {
  async read(): Promise<Result<string, Problem>> {
    const ended = await runCrontab(["-l"], "");
    if (!ended.ok) return ended;
    const { code, stdout, stderr } = ended.value;
    if (code === 0) return ok(stdout);
    // Of BusyBox it is a file that can't be opened.
    return /no crontab|can't open/i.test(stderr) ? ok("") : err({ kind: "refused", message: stderr.trim() });
  },
  async write(text: string): Promise<Result<void, Problem>> {
    const ended = await runCrontab(["-"], text);
    if (!ended.ok) return ended;
    const { code, stderr } = ended.value;
    return code === 0 ? ok(undefined) : err({ kind: "refused", message: stderr.trim() });
  },
} as const;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function runCrontab(args: readonly string[], input: string): Promise<Result<Ended, Problem>> {
  return new Promise((resolve) => {
    // Its messages are looked at, so they are wanted in English.
    const child = spawn("crontab", args, { env: { ...process.env, LC_ALL: "C" }, stdio: "pipe" });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("latin1").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve(err(error.code === "ENOENT" ? { kind: "no-program" } : { kind: "refused", message: error.message })),
    );
    child.on("close", (code) => resolve(ok({ code: code ?? -1, ...output })));
    // One that ends without reading says why.
    child.stdin.on("error", () => {});
    child.stdin.end(input, "latin1");
  });
}
