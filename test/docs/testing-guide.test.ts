import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";

const guide = readFileSync("docs/testing.md", "utf8");

/** What a block of code in the guide holds, by the name of the file in its first line. */
const files: Readonly<Record<string, string>> = Object.fromEntries(
  [...guide.matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, name = "", text = ""]) => [name, text]),
);

test("every example of the guide is a file that passes as it stands, saved beside the others", async () => {
  expect([...guide.matchAll(/```yaml/g)]).toHaveLength(Object.keys(files).length);
  const frond = createFrond(files);
  const { code, reply } = await frond.json(["test"]);
  const { files: tested } = reply as { files: { file: string; cases: { status: string; mismatches?: unknown }[] }[] };
  expect(tested.map(({ file }) => file)).toEqual(
    Object.keys(files)
      .filter((name) => name.endsWith(".test.yaml"))
      .sort(),
  );
  for (const { cases } of tested) {
    for (const one of cases) expect(one).toMatchObject({ status: expect.stringMatching(/passed|skipped/) });
  }
  expect(code).toBe(0);
});

test("the report in the guide is the one that comes", async () => {
  const steady = (text: string): string => text.replaceAll(/\d+(?:\.\d+)?m?s$/gm, "");
  const [, shown] = /```\n\$ frond test\n(.*?)```/s.exec(guide) ?? [];
  const { stdout } = await createFrond(files).run(["test", "release.test.yaml"]);
  expect(steady(stdout)).toBe(steady(shown ?? ""));
});
