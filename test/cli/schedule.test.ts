import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { databaseInFile } from "../rig/own-database.ts";
import { commandsIn, typeCommand } from "../rig/person.ts";
import { postgresVariables, startPostgres } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

const greet = workflow("greet", [shell("a", 'printf "%s" "${inputs.word}" > said')], {
  inputs: { word: { type: "string", description: "What" } },
});
const files = {
  "greet.yaml": greet,
  "ask.yaml": workflow("ask", [{ id: "go", type: "Prompt", inputs: { prompt: "?" } }]),
};

interface Scheduled {
  readonly cron: string;
  readonly runs: string;
  readonly next: readonly string[];
  readonly crontab: { readonly marker: string; readonly line: string };
  readonly systemd: Readonly<Record<"timer" | "service", { readonly name: string; readonly text: string }>>;
  readonly launchd: { readonly text: string } | { readonly error: string };
  readonly warnings: readonly string[];
  readonly installed?: string;
}

/** A crontab of its own, kept in a file by a program that does what the real one does. */
function withCrontab(frond: Frond): { readonly env: Record<string, string>; readonly file: string } {
  const bin = join(dirname(frond.home), "cron");
  const file = join(bin, "table");
  mkdirSync(bin);
  const program = `#!/bin/sh
case "$1" in
  -l) [ -f '${file}' ] || { echo "no crontab for you" >&2; exit 1; }; exec cat '${file}' ;;
  -) cat > '${file}.new'; if grep -q bad '${file}.new'; then echo "errors in crontab file, can't install" >&2; exit 1; fi; mv '${file}.new' '${file}' ;;
esac
`;
  writeFileSync(join(bin, "crontab"), program);
  chmodSync(join(bin, "crontab"), 0o755);
  return { env: { PATH: `${bin}:${frond.env.PATH}` }, file };
}

/** What cron does with a line: without its times, and with plain percent signs, it goes to `sh`, in hardly any environment. */
function runAsCron(line: string, home: string): number | null {
  const command = line.split(" ").slice(5).join(" ").replaceAll("\\%", "%");
  const env = { HOME: home, LOGNAME: "me", SHELL: "/bin/sh", PATH: "/usr/bin:/bin" };
  return spawnSync("/bin/sh", ["-c", command], { cwd: home, env, timeout: 60_000 }).status;
}

test("the line for the crontab runs the workflow in a bare environment, and the run says who started it", async () => {
  const frond = createFrond(files);
  const { env, file } = withCrontab(frond);
  const word = `100% "sure" 'or' $HOME \\ not; ä`;
  const args = ["schedule", "greet.yaml", "0 3 * * *", "--input", `word=${word}`];
  const { reply } = await frond.json([...args, "--install"], { env: { ...env, ...databaseInFile(frond) } });
  const { crontab, ...more } = reply as Scheduled;
  expect(more).toMatchObject({ cron: "0 3 * * *", runs: "at 03:00 every day", warnings: [], installed: "new" });
  expect(readFileSync(file, "utf8")).toBe(`${crontab.marker}\n${crontab.line}\n`);
  expect(runAsCron(crontab.line, frond.home)).toBe(0);
  expect(frond.read("said")).toBe(word);
  const { reply: listed } = await frond.json(["runs"]);
  expect(listed).toMatchObject({ runs: [{ workflow: "greet", status: "success", started_by: "schedule 0 3 * * *" }] });
  expect(readFileSync(join(frond.state, "schedules.log"), "utf8")).toContain("greet");
  const shown = await frond.startInTerminal(["runs"], { columns: 120, env: { NO_COLOR: "1" } }).ended;
  expect(shown.stdout).toContain("by schedule 0 3 * * *");
});

test("a schedule is installed once, replaced, listed and removed, and all other lines stay byte for byte", async () => {
  const frond = createFrond(files);
  const { env, file } = withCrontab(frond);
  const others = Buffer.from("# mine \xe4\r\n\n0 1 * * * backup 100\\%\nMAILTO=me", "latin1");
  writeFileSync(file, others);
  const before = Buffer.concat([others, Buffer.from("\n")]);
  const put = (cron: string) => frond.json(["schedule", "hello-world", cron, "--install"], { env });
  expect((await put("0 3 * * *")).reply).toMatchObject({ installed: "new" });
  expect((await put("30 4 * * mon")).reply).toMatchObject({ installed: "replaced" });
  const whole = readFileSync(file);
  expect((await put("30 4 * * 1")).reply).toMatchObject({ installed: "replaced" });
  expect(readFileSync(file)).toEqual(whole);
  expect(whole.subarray(0, before.length)).toEqual(before);
  expect(whole.subarray(before.length).toString().split("\n")).toHaveLength(3);
  await frond.run(["schedule", "hello-world", "@weekly", "--install", "--workspace", frond.home], { env });
  expect((await frond.json(["schedule", "--list"], { env })).reply).toMatchObject({
    schedules: [
      { workflow: "hello-world", workspace: frond.directory, cron: "30 4 * * 1", runs: "at 04:30 on Monday" },
      { workflow: "hello-world", workspace: frond.home, cron: "0 0 * * 0", runs: "at 00:00 on Sunday" },
    ],
  });
  const { stdout } = await frond.run(["schedule", "--list"], { env });
  expect(stdout).toMatch(/^hello-world {2}20\d\d-.* 04:30 {2}30 4 \* \* 1 {2}at 04:30 on Monday in \//);
  await frond.run(["schedule", "hello-world", "--remove", "--workspace", frond.home], { env });
  expect(readFileSync(file)).toEqual(whole);
  expect((await frond.json(["schedule", "hello-world", "--remove"], { env })).reply).toMatchObject({ removed: true });
  expect(readFileSync(file)).toEqual(before);
  const again = await frond.json(["schedule", "hello-world", "--remove"], { env });
  expect(again).toMatchObject({ code: 2, reply: { errors: [{ code: "no-schedule" }] } });
});

test("where there is no crontab, or it is refused, it is said what to do instead, and nothing is changed", async () => {
  const frond = createFrond(files);
  const none = await frond.run(["schedule", "hello-world", "@daily", "--install"], {
    env: { PATH: dirname(realpathSync(process.execPath)) },
  });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no program 'crontab' on PATH.") });
  expect(none.stderr).toContain("use what `--as systemd` or `--as launchd` prints instead");
  const { env, file } = withCrontab(frond);
  writeFileSync(file, "bad\n");
  const refused = await frond.json(["schedule", "hello-world", "@daily", "--install"], { env });
  expect(refused).toMatchObject({
    code: 2,
    reply: { errors: [{ message: "The program crontab refuses: errors in crontab file, can't install" }] },
  });
  expect(readFileSync(file, "utf8")).toBe("bad\n");
});

test.each([
  [["greet.yaml", "0 3 * * *"], "missing-input"],
  [["greet.yaml", "0 3 * * *", "--input", "wrd=x"], "unknown-input"],
  [["nobody", "0 3 * * *"], "unknown-workflow"],
  [["own", "0 3 * * *"], "untrusted-workflow"],
  [["hello-world", "0 25 * * *"], "bad-schedule"],
  [["hello-world", "0 3 30 2 *"], "bad-schedule"],
  [["hello-world", "greet.yaml", "ask.yaml"], "bad-schedule"],
  [["hello-world"], "usage"],
  [[], "usage"],
] as const)("`frond schedule %s` is refused: %s", async (args, code) => {
  const frond = createFrond({ ...files, ".frond/workflows/own.yaml": workflow("own", [shell("a", "true")]) });
  const refused = await frond.json(["schedule", ...args]);
  expect(refused.code).toBe(2);
  expect((refused.reply as { errors: { code: string }[] }).errors.map((error) => error.code)).toContain(code);
  expect(existsSync(join(frond.state, "frond.db"))).toBe(false);
});

test("an input that no line of a crontab can hold is refused, and said to belong into a file", async () => {
  const frond = createFrond(files);
  const refused = await frond.json(["schedule", "greet.yaml", "@daily", "--input", "word=a\nb"]);
  expect(refused).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "bad-schedule", fix: expect.stringContaining("--inputs") }] },
  });
});

test("it warns of what may ask somebody, and of secrets that cron does not have", async () => {
  const secret = workflow("secret", [shell("a", 'echo "${secrets.TOKEN}"')]);
  const frond = createFrond({ ...files, "secret.yaml": secret });
  const env = databaseInFile(frond);
  const warnings = async (file: string) =>
    ((await frond.json(["schedule", file, "@daily"], { env })).reply as Scheduled).warnings;
  expect(await warnings("ask.yaml")).toEqual(["ask may ask something, and nobody will be there."]);
  expect(await warnings("secret.yaml")).toEqual(["It needs secrets, which are not in the environment of cron: TOKEN."]);
  frond.write("others.env", "FROND_SECRET_OTHER=abc\n");
  const other = await frond.json(["schedule", "secret.yaml", "@daily", "--dotenv", "others.env"], { env });
  expect((other.reply as Scheduled).warnings).toHaveLength(1);
  frond.write("my secrets.env", "FROND_SECRET_TOKEN=hidden-word\n");
  const { reply } = await frond.json(["schedule", "secret.yaml", "@daily", "--dotenv", "my secrets.env"], { env });
  const { warnings: none, crontab } = reply as Scheduled;
  expect(none).toEqual([]);
  expect(crontab.line).not.toContain("hidden-word");
  expect(runAsCron(crontab.line, frond.home)).toBe(0);
  expect(await frond.json(["schedule", "secret.yaml", "@daily", "--dotenv", "none.env"])).toMatchObject({ code: 2 });
  const path = Array.from({ length: 60 }, (_, index) => `/some/where/${index}`).join(":");
  const long = await frond.json(["schedule", "hello-world", "@daily"], {
    env: { ...env, PATH: `${frond.env.PATH}:${path}` },
  });
  expect((long.reply as Scheduled).warnings).toEqual([expect.stringMatching(/^The line has \d+ characters/)]);
});

test("with a database it warns of runs that would leave it, and of a schedule that workers keep as well", async () => {
  const own = workflow("own", [shell("a", "true")], { schedule: "@daily", workspace: "none" });
  const frond = createFrond({ ...files, "own.yaml": own });
  const env = postgresVariables(await (await startPostgres()).createDatabase());
  const { FROND_DATABASE_URL = "", ...others } = env;
  const { reply } = await frond.json(["schedule", "own.yaml", "@daily"], { env });
  const { warnings, crontab } = reply as Scheduled;
  expect(warnings).toEqual([
    "FROND_DATABASE_URL is not part of this, because it may hold a password.",
    "own has a `schedule` of its own, which workers look after.",
  ]);
  expect(crontab.line).not.toContain(new URL(FROND_DATABASE_URL).password);
  const { stderr } = await frond.run(["schedule", "own.yaml", "@daily", "--as", "cron"], { env });
  expect(stderr).toContain("set FROND_DATABASE_URL_FILE to its path instead");
  expect(stderr).toContain("Use one of both");
  frond.write("address", FROND_DATABASE_URL);
  const file = join(frond.directory, "address");
  chmodSync(file, 0o600);
  const kept = await frond.json(["schedule", "hello-world", "@daily"], {
    env: { ...others, FROND_DATABASE_URL_FILE: file },
  });
  expect((kept.reply as Scheduled).warnings).toEqual([]);
  expect((kept.reply as Scheduled).crontab.line).toContain(`FROND_DATABASE_URL_FILE=${file}`);
});

test("a person is told when it runs, and gets the lines to copy", async () => {
  const frond = createFrond(files);
  const { stdout } = await frond.run(["schedule", "hello-world", "*/20", "8", "*", "*", "1-5"]);
  const lines = stdout.split("\n");
  expect(lines[0]).toBe(`hello-world in ${frond.directory}`);
  const time = "\\d{4}-\\d\\d-\\d\\d 08:[024]0";
  const next = `next ${time}, ${time}, ${time} `;
  expect(lines[1]).toMatch(
    new RegExp(`^at 08:00, 08:20 and 08:40 on Monday to Friday \\(\\*/20 8 \\* \\* 1-5\\), ${next}`),
  );
  expect(lines).toContain(`# frond schedule: hello-world in ${frond.directory}`);
  const launchd = await frond.run(["schedule", "hello-world", "*/2 8-17 */2 * 1", "--as", "launchd"]);
  expect(launchd.stdout).toContain("It can't be said to launchd: launchd knows no days that have to be both");
});

const systemd = spawnSync("systemd-analyze", ["calendar", "daily"]).status === 0;

test.runIf(systemd).each(["0 3 * * *", "*/15 9-17 * * 1-5", "30 4 1,15 * 5", "0 0 29 2 *", "5 4 * 1-3 sun"])(
  "systemd makes the same times of '%s'",
  async (cron) => {
    const frond = createFrond();
    const { reply } = await frond.json(["schedule", "hello-world", cron]);
    const { systemd: units, next } = reply as Scheduled;
    const expressions = [...units.timer.text.matchAll(/^OnCalendar=(.*)$/gm)].map(([, expression]) => expression ?? "");
    const { stdout } = spawnSync("systemd-analyze", ["calendar", "--iterations=3", ...expressions], {
      encoding: "utf8",
      env: { ...process.env, TZ: "UTC" },
    });
    const times = [...stdout.matchAll(/(?:Next elapse|Iteration? #\d+|Iter\. #\d+): \w+ (\d{4}-\d\d-\d\d \d\d:\d\d)/g)]
      .map(([, time]) => time)
      .sort();
    const expected = next.map((time) => time.slice(0, 16).replace("T", " "));
    if (new Date().getTimezoneOffset() === 0) expect(times.slice(0, 3)).toEqual(expected);
    else expect(times.length).toBeGreaterThanOrEqual(3);
  },
);

test("--skip-if-running starts none while another run of the workflow is going there", async () => {
  const wait = "touch going; until [ -e go ]; do sleep 0.05; done";
  const frond = createFrond({ "slow.yaml": workflow("slow", [shell("a", wait)]) });
  const first = frond.start(["run", "slow.yaml"]);
  await waitFor("the run to go", () => existsSync(join(frond.directory, "going")));
  const skipped = await frond.json(["run", "slow.yaml", "--skip-if-running"]);
  expect(skipped).toMatchObject({ code: 0, reply: { status: "skipped", run_id: expect.stringMatching(/^run_/) } });
  const text = await frond.run(["run", "slow.yaml", "--skip-if-running"]);
  expect(text.stdout).toMatch(/^Skipped: run_\w{16} of slow is still running here\.\n$/);
  frond.write("go", "");
  expect((await first.ended).code).toBe(0);
  expect((await frond.run(["run", "slow.yaml", "--skip-if-running"])).code).toBe(0);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: { length: 2 } });
  const { reply } = await frond.json(["schedule", "slow.yaml", "@hourly", "--skip-if-running"]);
  expect((reply as Scheduled).crontab.line).toContain(" --skip-if-running ");
});

test("the commands that it names can be typed, literally", async () => {
  const frond = createFrond();
  const { env } = withCrontab(frond);
  const path = { PATH: `${join(dirname(frond.home), "bin")}:${env.PATH}` };
  const type = (command: string) => typeCommand(frond, command, { env: path });
  const none = (await type("frond schedule --list")).stdout.replaceAll("\r", "");
  const [install = ""] = commandsIn(none);
  const installed = (await type(install.replace("NAME", "hello-world"))).stdout.replaceAll("\r", "");
  const [list = "", runs = ""] = commandsIn(installed);
  expect((await type(list)).stdout).toContain("at 03:00 every day");
  expect((await type(runs)).code).toBe(0);
  const missing = await type("frond schedule hello-world");
  const [example = ""] = commandsIn(missing.stdout);
  expect((await type(example)).code).toBe(0);
});

test("what cron, systemd and launchd need is printed at once, or only what is asked for", async () => {
  const frond = createFrond();
  const all = await frond.run(["schedule", "hello-world", "0 3 * * *"]);
  const parts = [/^0 3 \* \* \* cd /m, /^OnCalendar=\*-\*-\* 03:00:00$/m, /<key>StartCalendarInterval<\/key>/];
  for (const part of parts) expect(all.stdout).toMatch(part);
  for (const [index, form] of ["cron", "systemd", "launchd"].entries()) {
    const { stdout } = await frond.run(["schedule", "hello-world", "0 3 * * *", "--as", form]);
    expect(parts.map((part) => part.test(stdout))).toEqual(parts.map((_, other) => other === index));
  }
});
