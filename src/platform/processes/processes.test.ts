import { createHash } from "node:crypto";
import { closeSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bashRequest, runRequest, started } from "../../../test/platform/run-request.ts";
import { waysToStart } from "../../../test/platform/ways-to-start.ts";
import { openInheritedText } from "./inherited-text.ts";
import { createProcesses } from "./processes.ts";

describe.each(waysToStart)("commands %s", (_, way) => {
  const processes = createProcesses(way);
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "frond-processes-"));
  });

  afterAll(async () => {
    await processes.close(1000);
    await rm(directory, { recursive: true });
  });

  const bash = async (...request: Parameters<typeof bashRequest>) =>
    started(await processes.run(bashRequest(...request)));

  describe("results", () => {
    test("a command's streams and exit code are reported", async () => {
      const result = await bash("echo out; echo err >&2; exit 7");
      expect(result).toMatchObject({ exitCode: 7, signal: null });
      expect(result.stdout).toEqual({ text: "out\n", totalBytes: 4, truncated: false });
      expect(result.stderr).toEqual({ text: "err\n", totalBytes: 4, truncated: false });
    });

    test("a command ended by signal N has exit code 128 + N", async () => {
      expect(await bash("kill -9 $$")).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
    });

    test("arguments reach the program as they are", async () => {
      const args = ["%s|", "a b", "$(echo no)", "", "*", "line\nbreak"];
      const result = started(await processes.run(runRequest({ file: "printf", args })));
      expect(result.stdout.text).toBe("a b|$(echo no)||*|line\nbreak|");
    });

    test("the environment is the one that was asked for, beside the mark of the engine", async () => {
      const result = started(await processes.run(runRequest({ file: "/usr/bin/env", env: { ONLY: "this" } })));
      expect(result.stdout.text.replace(/^FROND_ENGINE=.*\n/m, "")).toBe("ONLY=this\n");
    });

    test("many commands at the same time do not mix their output", async () => {
      const { signal } = new AbortController();
      const numbers = Array.from({ length: 40 }, (_, index) => index);
      const results = await Promise.all(numbers.map((n) => bash(`echo ${n}; echo e${n} >&2`, { signal })));
      expect(results.map(({ stdout, stderr }) => stdout.text + stderr.text)).toEqual(
        numbers.map((n) => `${n}\ne${n}\n`),
      );
    });
  });

  describe("output", () => {
    test("nothing of it is lost when this process is busy with something else while a command ends", async () => {
      const busy = (milliseconds: number): void => {
        for (const until = performance.now() + milliseconds; performance.now() < until; );
      };
      let isFirst = true;
      const talking = bash("sleep 0.1; echo; sleep 0.4", {
        onOutput() {
          if (!isFirst) return;
          isFirst = false;
          // The command that counts writes and ends meanwhile, so that its end is noticed before what it wrote is read...
          busy(500);
          // ...and then longer passes than is waited for output after an end.
          setImmediate(() => busy(300));
        },
      });
      const ending = bash("sleep 0.1");
      const counting = bash("sleep 0.5; echo written");
      // One has talked and one has ended when this process looks for the first time.
      busy(300);
      const [, , { stdout }] = await Promise.all([talking, ending, counting]);
      expect(stdout.text).toBe("written\n");
    });

    test("output beyond the limit is dropped from the middle", async () => {
      const result = await bash("yes | head -c 64M; echo; echo end", { maxOutput: 1000 });
      expect(result.stdout).toMatchObject({ totalBytes: 64 * 1024 * 1024 + 5, truncated: true });
      expect(result.stdout.text).toMatch(/^(y\n){250}\n\.\.\. 67,107,869 bytes left out \.\.\.\n[y\n]+\nend\n$/);
    });

    test("output is shown while it comes", async () => {
      const seen: string[] = [];
      const result = await bash("echo first; until [ -e go ]; do sleep 0.01; done; echo second >&2", {
        cwd: directory,
        onOutput(stream, chunk) {
          seen.push(`${stream} ${Buffer.from(chunk)}`);
          if (stream === "stdout") writeFileSync(join(directory, "go"), "");
        },
      });
      expect(result.exitCode).toBe(0);
      expect(seen).toEqual(["stdout first\n", "stderr second\n"]);
    });

    test("without capture the output goes nowhere", async () => {
      const result = await bash("echo gone; echo gone >&2", { capture: false });
      expect(result).toMatchObject({ exitCode: 0, stdout: { text: "", totalBytes: 0 }, stderr: { text: "" } });
    });

    test("a command can open its output by name", async () => {
      const result = await bash("echo out > /dev/stdout; echo err > /dev/stderr; echo both | tee /dev/stderr");
      expect([result.stdout.text, result.stderr.text]).toEqual(["out\nboth\n", "err\nboth\n"]);
    });
  });

  describe("input", () => {
    test("an empty standard input is at its end", async () => {
      expect((await bash("cat; echo read")).stdout.text).toBe("read\n");
    });

    test("a standard input of 10 MB arrives whole", async () => {
      const stdin = "0123456789".repeat(1024 * 1024);
      const digest = createHash("sha256").update(stdin).digest("hex");
      expect((await bash("sha256sum", { stdin })).stdout.text).toBe(`${digest}  -\n`);
    });

    test("a command need not read its standard input", async () => {
      expect(await bash("exec true", { stdin: "x".repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
    });

    test("a command can open its standard input by name", async () => {
      expect((await bash("cat /dev/stdin", { stdin: "text" })).stdout.text).toBe("text");
    });
  });

  describe("the text on descriptor 3", () => {
    for (const shell of ["bash", "sh"]) {
      test(`${shell} can source it and close it`, async () => {
        const command = '. /dev/fd/3; exec 3<&-; echo "$greeting"; [ ! -e /dev/fd/3 ] && echo closed';
        const request = runRequest({ file: shell, args: ["-c", command], fd3: "greeting='hello there'\n" });
        expect(started(await processes.run(request)).stdout.text).toBe("hello there\nclosed\n");
      });
    }

    test("a text of 5 MB works", async () => {
      expect((await bash("wc -c <&3", { fd3: "x".repeat(5_000_000) })).stdout.text.trim()).toBe("5000000");
    });

    test("it has no name in the file system", async () => {
      const empty = await mkdtemp(join(directory, "texts-"));
      const fd = openInheritedText("secret", [join(directory, "not-there"), empty]);
      expect(await readdir(empty)).toEqual([]);
      expect(readFileSync(fd, "utf8")).toBe("secret");
      closeSync(fd);
    });
  });

  describe("a command that cannot start says why", () => {
    const problems: [string, Parameters<typeof runRequest>[0], string][] = [
      ["no such program", { file: "frond-no-such" }, "there is no program 'frond-no-such' on PATH"],
      ["no such path", { file: "./frond-no-such" }, "there is no program './frond-no-such'"],
      ["no such directory", { file: "true", cwd: "/no/such" }, "the working directory '/no/such' does not exist"],
      ["no directory", { file: "true", cwd: "/dev/null" }, "the working directory '/dev/null' is not a directory"],
      ["not executable", { file: "/etc/passwd" }, "'/etc/passwd' may not be executed"],
      [
        "too long",
        { file: "true", args: ["x".repeat(8_000_000)] },
        "the arguments and environment of 'true' are longer than the operating system allows",
      ],
    ];
    for (const [name, request, message] of problems) {
      test(name, async () => {
        expect(await processes.run(runRequest(request))).toEqual({ started: false, message });
      });
    }

    test("no such interpreter", async () => {
      const script = join(directory, "script");
      await writeFile(script, "#!/no/such/interpreter\n");
      await chmod(script, 0o755);
      const message = `the interpreter that '${script}' names in its first line does not exist`;
      expect(await processes.run(runRequest({ file: script }))).toEqual({ started: false, message });
    });

    test("a NUL byte", async () => {
      const result = await processes.run(runRequest({ file: "echo", args: ["a\0b"] }));
      expect(result).toMatchObject({ started: false, message: expect.stringContaining("NUL byte") });
    });

    test("already cancelled", async () => {
      const file = join(directory, "never");
      const result = await processes.run(runRequest({ file: "touch", args: [file], signal: AbortSignal.abort() }));
      expect(result).toEqual({ started: false, message: "'touch' was cancelled before it started" });
      expect(await readdir(directory)).not.toContain("never");
    });
  });
});
