import { expect, test } from "vitest";
import { check, onlyProblem, shell, workflow } from "./check.ts";

/** What keys for more than one machine say of what is wrong with them. */

const inputs = `inputs:
  branch: { type: string, description: d, default: main }
  level: { type: string, description: d, enum: [full, quick], default: quick }
  key: { type: string, description: d, secret: true, required: false }
`;

const refused: readonly [line: string, code: string, message: RegExp, fix?: RegExp][] = [
  ["runs_on: 'a b'", "bad-label", /'a b' can't be a label/, /label that workers are started with/],
  ["runs_on: [gpu, '${inputs.branch}']", "bad-label", /can't be a label/, /^Write it out/],
  ["runs_on: { gpu: true }", "wrong-type", /must be a label or a list of labels/, /\[gpu, linux\]/],
  ["runs_on: [a, b, c, d, e, f]", "wrong-type", /at most 5 labels/],
  ["concurrency: 0", "wrong-type", /whole number above 0/],
  ["concurrency: { group: a }", "wrong-type", /whole number above 0, not a map/],
  ["workspace: https://example.org/a.git", "wrong-type", /`none` or a map/, /\{ git: https:\/\/example.org\/a.git \}/],
  ["workspace: { ref: main }", "missing-key", /has no 'git'/],
  ["workspace: { git: 'ext::sh -c ls' }", "bad-workspace", /names a helper of git/],
  ["workspace: { git: '--upload-pack=x' }", "bad-workspace", /not the address of a repository/],
  ["workspace: { git: http://example.org/a }", "bad-workspace", /not by http/],
  ["workspace: { git: 'https://me:pass@example.org/a' }", "bad-workspace", /holds a password/],
  ["workspace: { git: app }", "bad-workspace", /A path begins with/],
  ["workspace: { git: ., ref: -x }", "bad-workspace", /not the name of a branch/],
  ["workspace: { git: ., branch: main }", "unknown-key", /has no key 'branch'/, /Write `ref:`/],
  ["workspace: { git: ., ref: '${blocks.a.stdout}' }", "reference-not-allowed", /can't read blocks/, /inputs.NAME/],
  ["workspace: { git: '${secrets.URL}' }", "reference-not-allowed", /can't read secrets/, /credential helper/],
  ["workspace: { git: ., ref: '${inputs.key}' }", "reference-not-allowed", /'key', which is secret/, /credential/],
  ["workspace: { git: ., ref: '${inputs.brunch}' }", "reference-not-allowed", /no input 'brunch'/, /'branch'/],
  ["schedule: 0 3 * *", "bad-schedule", /'0 3 \* \*' is not a time for cron. It has 4 of five fields/],
  ["schedule: 0 3 30 2 *", "bad-schedule", /no such date/],
  ["schedule: ['@daily', '@noon']", "bad-schedule", /There is no '@noon'/],
  ["schedule: '${inputs.branch}'", "bad-schedule", /is not a time for cron/, /^Write it out/],
  ["schedule: { cron: '@daily', timezone: Europe/Berlim }", "unknown-timezone", /'Europe\/Berlim'/, /'Europe\/Berlin'/],
  ["schedule: { cron: '@daily', timezone: '+02:00' }", "unknown-timezone", /no time zone '\+02:00'/],
  ["schedule: { cron: '@daily', inputs: { lavel: full } }", "unknown-input", /no input 'lavel'/, /'level'/],
  ["schedule: { cron: '@daily', inputs: { level: half } }", "not-in-enum", /'level'/],
  ["schedule: { cron: '@daily', inputs: { level: '${metadata.run_id}' } }", "expression-not-allowed", /plain values/],
  ["schedule: { cron: '@daily', tz: UTC }", "unknown-key", /has no key 'tz'/, /Write `timezone:`/],
  ["schedule: []", "wrong-type", /at least one/],
];

test.each(refused)("%s is refused: %s", (line, code, message, fix = /./) => {
  const problem = onlyProblem(workflow(shell("a"), `${inputs}${line}\n`));
  expect(problem).toMatchObject({ code, level: "error" });
  expect(problem.message).toMatch(message);
  if (code !== "wrong-type" && code !== "bad-workspace" && code !== "bad-schedule") expect(problem.fix).toMatch(fix);
});

test("a schedule gives what a run can't do without", () => {
  const needed = "inputs: { level: { type: string, description: d } }\n";
  expect(onlyProblem(workflow(shell("a"), `${needed}schedule: "@daily"\n`))).toMatchObject({
    code: "missing-input",
    message: "the schedule of the workflow gives no value for 'level', without which the workflow can't start.",
    fix: "Write `inputs: { level: ... }` beside its cron, or give the input a default.",
  });
  const given = `${needed}schedule: { cron: "@daily", inputs: { level: x } }\n`;
  expect(check(workflow(shell("a"), given)).problems).toEqual([]);
});

test.each([
  "workspace: none",
  "workspace: { git: git@example.org:team/app.git, ref: feature/a+b }",
  "workspace: { git: ssh://git@example.org:2222/app.git, ref: 1.10 }",
  "workspace: { git: file:///srv/app.git, ref: 0123456 }",
  "workspace: { git: /srv/app.git }",
  "workspace: { git: '${inputs.branch}', ref: 'release-${inputs.level}' }",
  "runs_on: gpu",
  "schedule: { cron: '*/5 * * * *', timezone: Asia/Kolkata, inputs: { level: full } }",
])("%s is right", (line) => {
  expect(check(workflow(shell("a"), `${inputs}${line}\n`)).problems).toEqual([]);
});
