import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createFrond } from "../rig/frond.ts";

const page = readFileSync("docs/ci.md", "utf8");
const yaml = [...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? "");
const [workflow = "", job = ""] = yaml;
const shown = /```\n\$ frond (run ci\.yaml .*)\n(run {5}.*?)```/s.exec(page);

function withoutTimes(text: string): string {
  return text.replaceAll(/run_\w{16}/g, "RUN").replaceAll(/\b[\d.]+m?s\b/g, "TIME");
}

test("the workflow of the guide to CI prints what the guide shows", async () => {
  const frond = createFrond({ "ci.yaml": workflow });
  const { code, stdout } = await frond.run((shown?.[1] ?? "").split(" "));
  expect(code).toBe(1);
  expect(withoutTimes(stdout)).toBe(withoutTimes(shown?.[2] ?? ""));
});

test("the commands in the job of the guide to CI are accepted", async () => {
  const { jobs } = parse(job) as { jobs: { ci: { steps: readonly { run?: string }[] } } };
  const commands = jobs.ci.steps.flatMap(({ run }) => (run?.startsWith("frond ") ? [run.slice("frond ".length)] : []));
  expect(commands).toEqual(["validate ci.yaml", "run ci.yaml"]);
  const frond = createFrond({ "ci.yaml": workflow });
  const env = { CI: "true", GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: frond.directory };
  for (const [index, command] of commands.entries()) {
    const { code, stderr } = await frond.run(command.split(" "), { env });
    expect(code).toBe(index);
    expect(stderr.match(/^::error/gm) ?? []).toHaveLength(index);
  }
});
