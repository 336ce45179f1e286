import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { unwrap } from "../../../test/rig/unwrap.ts";
import { parseCron } from "../../util/cron-expression.ts";
import { crontabEntry, findEntries, markerOf, putEntry, removeEntry } from "./crontab.ts";
import { launchdAgent } from "./launchd.ts";
import type { ScheduledRun } from "./scheduled-run.ts";
import { systemdUnits } from "./systemd.ts";

const directory = mkdtempSync(join(tmpdir(), "frond-crontab-"));
const log = join(directory, "what 100% of it's printed");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function scheduled(words: readonly string[], cron = "0 3 * * *"): ScheduledRun {
  return {
    workflow: "nightly",
    workspace: "/tmp",
    cron: unwrap(parseCron(cron)),
    command: ["printf", "%s\\0", ...words, "run", "--started-by", "schedule x"],
    variables: new Map([["PATH", "/usr/bin:/bin"]]),
    log,
  };
}

/** What cron hands to `sh`: up to a percent sign, of which a backslash before it makes a plain one (do_command.c). */
function takenByCron(line: string): string {
  const command = line.split(" ").slice(5).join(" ");
  let taken = "";
  let isEscaped = false;
  for (const character of command) {
    if (isEscaped) {
      taken = character === "%" ? `${taken.slice(0, -1)}%` : taken + character;
      isEscaped = false;
      continue;
    }
    if (character === "%") break;
    if (character === "\\") isEscaped = true;
    taken += character;
  }
  return taken;
}

const anyWord = fc.oneof(
  fc.string({ unit: "grapheme-ascii" }),
  fc.string({ unit: fc.constantFrom("%", "\\", "'", '"', "$", " ", "a", "`", "~", "#", ";", "ä") }),
);

test("whatever words there are, cron and sh hand them over as they are", () => {
  fc.assert(
    fc.property(fc.array(anyWord, { maxLength: 4 }), (words) => {
      const command = takenByCron(crontabEntry(scheduled(words)).line);
      rmSync(log, { force: true });
      spawnSync("/bin/sh", ["-c", command], { env: {} });
      expect(readFileSync(log, "utf8").split("\0").slice(0, -1)).toEqual([
        ...words,
        "run",
        "--started-by",
        "schedule x",
      ]);
    }),
    { seed: 5, numRuns: 60 },
  );
});

test("an entry takes the place of its own, and every other line stays as it is", () => {
  const anyLine = fc.string({ unit: fc.constantFrom("#", " ", "*", "0", "a", "%", "\u00e4", "\t", "\r") });
  fc.assert(
    fc.property(fc.array(anyLine), fc.boolean(), (lines, hasEnd) => {
      const before = lines.join("\n") + (hasEnd ? "\n" : "");
      const whole = before === "" || before.endsWith("\n") ? before : `${before}\n`;
      const first = putEntry(before, crontabEntry(scheduled(["a"])));
      const second = putEntry(first, crontabEntry(scheduled(["b"], "5 4 * * *")));
      expect(first.startsWith(whole)).toBe(true);
      expect(putEntry(second, crontabEntry(scheduled(["b"], "5 4 * * *")))).toBe(second);
      expect(findEntries(second)).toMatchObject([
        { workflow: "nightly", workspace: "/tmp", cron: { text: "5 4 * * *" } },
      ]);
      expect(removeEntry(second, markerOf(scheduled([])))).toBe(whole);
      expect(removeEntry(whole, markerOf(scheduled([])))).toBeUndefined();
    }),
    { seed: 6, numRuns: 200 },
  );
});

test("of an entry whose line somebody has taken away, the line of another is left alone", () => {
  const marker = markerOf(scheduled([]));
  const left = `${marker}\n0 1 * * * backup\n`;
  expect(findEntries(left)).toEqual([{ workflow: "nightly", workspace: "/tmp" }]);
  expect(removeEntry(left, marker)).toBe("0 1 * * * backup\n");
  expect(putEntry(left, { marker, line: "new" })).toBe(`${marker}\nnew\n0 1 * * * backup\n`);
});

test("what systemd is told is read back as it was meant", () => {
  fc.assert(
    fc.property(fc.array(anyWord, { maxLength: 4 }), (words) => {
      const run = scheduled(words);
      const { service } = systemdUnits(run);
      const [, line = ""] = /^ExecStart=(.*)$/m.exec(service.text) ?? [];
      const read = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) =>
        word.replaceAll(/\\(.)|%%|\$\$/g, (pair, escaped?: string) => escaped ?? pair.charAt(0)),
      );
      expect(read).toEqual(run.command);
    }),
    { seed: 7, numRuns: 100 },
  );
});

const python = spawnSync("python3", ["-c", "import plistlib"]).status === 0;

test.runIf(python)("what launchd is told is a property list with the words as they are", () => {
  const words = ["a & b", "<c>", "]]>", "'\"%$\\", "ä"];
  const run = scheduled(words, "0,30 3 1 * 5");
  const program = "import plistlib,json,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))";
  const agent = unwrap(launchdAgent(run));
  const { stdout } = spawnSync("python3", ["-c", program], { input: agent.text, encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual({
    Label: agent.name.replace(/\.plist$/, ""),
    ProgramArguments: run.command,
    WorkingDirectory: "/tmp",
    EnvironmentVariables: { PATH: "/usr/bin:/bin" },
    StartCalendarInterval: [
      { Day: 1, Hour: 3, Minute: 0 },
      { Day: 1, Hour: 3, Minute: 30 },
      { Weekday: 5, Hour: 3, Minute: 0 },
      { Weekday: 5, Hour: 3, Minute: 30 },
    ],
    StandardOutPath: log,
    StandardErrorPath: log,
  });
});
