import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";

/** A workflow that says who it is. */
function leaf(name: string, says: string): string {
  return `name: ${name}
description: d
blocks:
  - { id: say, type: Shell, inputs: { command: echo ${says} } }
outputs: { said: "\${trim(blocks.say.stdout)}" }
`;
}

/** One that calls another and hands on what that says. */
function calling(name: string, ...children: readonly string[]): string {
  const blocks = children.map(
    (child, n) => `  - { id: c${n}, type: ExecuteWorkflow, inputs: { workflow: ${child} } }\n`,
  );
  const said = children.map((_, n) => `\${blocks.c${n}.said}`).join(",");
  return `name: ${name}\ndescription: d\nblocks:\n${blocks.join("")}outputs: { said: "${said}" }\n`;
}

async function said(frond: Frond, target: string, ...more: readonly string[]): Promise<unknown> {
  const { reply } = await frond.json(["run", target, "--json", ...more]);
  const { outputs, error, errors, failed_blocks: failed } = reply as Record<string, unknown>;
  return (outputs as { said?: unknown } | undefined)?.said ?? error ?? failed ?? errors;
}

async function refusal(frond: Frond, target: string): Promise<string> {
  const { code, stderr, stdout } = await frond.run(["validate", target]);
  expect(code).toBe(2);
  return `${stdout}${stderr}`;
}

test("a file that is run by its path calls those beside and below it, from any directory", async () => {
  const frond = createFrond();
  frond.write("flows/main.yaml", calling("main", "./a.yaml", "./parts/b.yaml"));
  frond.write("flows/a.yaml", leaf("helper", "one"));
  frond.write("flows/parts/b.yaml", calling("helper", "./c.yml"));
  frond.write("flows/parts/c.yml", leaf("helper", "two"));
  expect(await said(frond, "flows/main.yaml")).toBe("one,two");
  expect(await said(frond, join(frond.directory, "flows/main.yaml"))).toBe("one,two");
  const { code } = await frond.run(["validate", "flows/main.yaml"]);
  expect(code).toBe(0);
  expect((await frond.run(["info", "flows/main.yaml"])).stdout).toContain("commands");
});

test("a file beside it that is called by its name is answered with the path to write", async () => {
  const frond = createFrond();
  frond.write("flows/main.yaml", calling("main", "helper"));
  frond.write("flows/helper.yml", leaf("helper", "one"));
  const { stderr } = await frond.run(["validate", "flows/main.yaml"]);
  const [, path = ""] = /fix: There is a file of that name: to call it write '(.*)'\./.exec(stderr) ?? [];
  frond.write("flows/main.yaml", calling("main", path));
  expect(await said(frond, "flows/main.yaml")).toBe("one");
});

test("files of the same name that are reached by different paths are never confused", async () => {
  const frond = createFrond({
    "main.yaml": calling("same", "./a/x.yaml", "./b/x.yaml", "same"),
    "a/x.yaml": leaf("same", "from-a"),
    "b/x.yaml": calling("same", "same"),
    "../home/.frond/workflows/x.yaml": leaf("same", "from-library"),
  });
  expect(await said(frond, "main.yaml")).toBe("from-a,from-library,from-library");
});

test("a run that waits goes on with the very files it started with", async () => {
  const ask = "  - { id: ask, type: Prompt, inputs: { prompt: Go on? } }\n";
  const later = "  - { id: c, type: ExecuteWorkflow, depends_on: [ask], inputs: { workflow: ./a/x.yaml } }\n";
  const frond = createFrond({
    "main.yaml": `name: same\ndescription: d\nblocks:\n${ask}${later}outputs: { said: "\${blocks.c.said}" }\n`,
    "a/x.yaml": leaf("same", "before"),
  });
  const { reply } = await frond.json(["run", "main.yaml", "--json"]);
  frond.write("a/x.yaml", leaf("same", "after"));
  const { run_id: runId } = reply as { run_id: string };
  const resumed = await frond.json(["resume", runId, "--response", "yes", "--json"]);
  expect(resumed.reply).toMatchObject({ status: "success", outputs: { said: "before" } });
});

test("a path that is computed is held to the same rules when the block runs", async () => {
  const block = '  - { id: c, type: ExecuteWorkflow, inputs: { workflow: "./parts/${inputs.which}.yaml" } }\n';
  const inputs = "inputs: { which: { type: string, description: d } }\n";
  const frond = createFrond({
    "main.yaml": `name: main\ndescription: d\n${inputs}blocks:\n${block}outputs: { said: "\${blocks.c.said}" }\n`,
    "parts/a.yaml": calling("a", "./b.yaml"),
    "parts/b.yaml": leaf("b", "deep"),
    "../outside.yaml": leaf("outside", "outside"),
  });
  expect(await said(frond, "main.yaml", "--input", "which=a")).toBe("deep");
  const refused = async (which: string): Promise<string> => {
    const { reply } = await frond.json(["run", "main.yaml", "--json", "--input", `which=${which}`]);
    return JSON.stringify(reply);
  };
  expect(await refused("../../outside")).toContain("can't be called from here");
  expect(await refused("nothing")).toContain(
    `There is no workflow file ${join(frond.directory, "parts/nothing.yaml")}.`,
  );
});

test("a path that leads nowhere says where it was looked for", async () => {
  const frond = createFrond({ "flows/main.yaml": calling("main", "./nope.yaml") });
  const text = await refusal(frond, "flows/main.yaml");
  expect(text).toContain(`There is no workflow file ${join(frond.directory, "flows/nope.yaml")}.`);
});

test("nothing above a file that is run by its path comes with it, nor what a link leads to", async () => {
  const frond = createFrond({
    "flows/up.yaml": calling("up", "../other.yaml"),
    "flows/parts/back.yaml": calling("back", "../up.yaml"),
    "flows/deep.yaml": calling("deep", "./parts/back.yaml"),
    "flows/linked.yaml": calling("linked", "./link.yaml"),
    "flows/through.yaml": calling("through", "./dir/other.yaml"),
    "flows/inside.yaml": calling("inside", "./near.yaml"),
    "flows/leaf.yaml": leaf("leaf", "near"),
    "other.yaml": leaf("other", "other"),
  });
  symlinkSync("../other.yaml", join(frond.directory, "flows/link.yaml"));
  symlinkSync("..", join(frond.directory, "flows/dir"));
  symlinkSync("leaf.yaml", join(frond.directory, "flows/near.yaml"));
  expect(await refusal(frond, "flows/up.yaml")).toContain("'../other.yaml' can't be called from here.");
  expect(await refusal(frond, "flows/deep.yaml")).toContain("'../up.yaml' can't be called from here.");
  expect(await refusal(frond, "flows/linked.yaml")).toContain("is a symbolic link that points outside of");
  expect(await refusal(frond, "flows/through.yaml")).toContain("is a symbolic link that points outside of");
  expect(await said(frond, "flows/inside.yaml")).toBe("near");
});

test("a workflow of a library reaches all of its library by paths, and nothing else", async () => {
  const home = "../home/.frond/workflows";
  const frond = createFrond({
    [`${home}/ci/main.yaml`]: calling("main", "../shared/a.yaml", "./b.yaml"),
    [`${home}/ci/b.yaml`]: leaf("b", "beside"),
    [`${home}/shared/a.yaml`]: leaf("b", "shared"),
    [`${home}/out.yaml`]: calling("out", "../../secret.yaml"),
    "../home/secret.yaml": leaf("secret", "secret"),
  });
  expect(await said(frond, "main")).toBe("shared,beside");
  expect(await said(frond, join(frond.home, ".frond/workflows/ci/main.yaml"))).toBe("shared,beside");
  expect(await refusal(frond, "out")).toContain("'../../secret.yaml' points outside of");
});

test("a file of a project that nobody has looked at is not run by a path either", async () => {
  const frond = createFrond({
    ".frond/workflows/main.yaml": calling("main", "./parts/a.yaml"),
    ".frond/workflows/parts/a.yaml": leaf("a", "first"),
  });
  await frond.run(["trust"]);
  expect(await said(frond, "main")).toBe("first");
  frond.write(".frond/workflows/parts/a.yaml", leaf("a", "changed"));
  const { code, stderr } = await frond.run(["run", "main"]);
  expect(code).toBe(2);
  expect(stderr).toContain("parts/a.yaml");
  expect(stderr).toMatch(/has changed|changed/);
  // Named on the command line too, as long as it is one that somebody has looked at; one that is not brings what lies beside it.
  expect(await refusal(frond, ".frond/workflows/main.yaml")).toContain("has changed since it was trusted");
  frond.write(".frond/workflows/main.yaml", `${calling("main", "./parts/a.yaml")}# new\n`);
  expect(await said(frond, ".frond/workflows/main.yaml")).toBe("changed");
});

test("workflows that call each other by paths are refused with the way", async () => {
  const frond = createFrond({
    "a.yaml": calling("a", "./b.yaml"),
    "b.yaml": calling("b", "./a.yaml"),
    "self.yaml": calling("self", "./self.yaml"),
  });
  expect(await refusal(frond, "a.yaml")).toContain("Circular call: the workflow calls itself");
  expect(await refusal(frond, "self.yaml")).toContain("Circular call: the workflow calls itself: self -> self.");
});

test("a path without ./ is told how it is written", async () => {
  const frond = createFrond({ "main.yaml": calling("main", "parts/a.yaml"), "parts/a.yaml": leaf("a", "x") });
  expect(await refusal(frond, "main.yaml")).toContain("a path that begins with ./, here './parts/a.yaml'.");
  frond.write("main.yaml", calling("main", join(frond.directory, "parts/a.yaml")));
  expect(await refusal(frond, "main.yaml")).toContain("No workflow is named");
  frond.write("main.yaml", calling("main", `given:${frond.directory}//parts/a.yaml`));
  expect(await refusal(frond, "main.yaml")).toContain("No workflow is named");
});

test("a broken file is named with its place, and what to do about it is told", async () => {
  const frond = createFrond({
    "main.yaml": calling("main", "./a.yaml"),
    "a.yaml": leaf("a", "x").replace("Shell", "Shel"),
    "above.yaml": calling("above", "./main.yaml"),
  });
  expect(await refusal(frond, "main.yaml")).toContain("fix: Did you mean 'Shell'?");
  expect(await refusal(frond, "above.yaml")).toContain("fix: Did you mean 'Shell'?");
  expect(await refusal(frond, "main.yaml")).toMatch(/The workflow '\.\/a\.yaml' can't be run: .*Shel.*a\.yaml, line 4/);
});

test("frond test runs workflows that call files by paths", async () => {
  const cases = 'cases:\n  - name: works\n    expect: { outputs: { said: "one" } }\n';
  const frond = createFrond({
    "flows/main.yaml": calling("main", "./a.yaml"),
    "flows/a.yaml": leaf("a", "one"),
    "flows/main.test.yaml": cases,
    ".frond/workflows/own.yaml": calling("own", "./parts/b.yaml"),
    ".frond/workflows/parts/b.yaml": leaf("b", "one"),
    ".frond/workflows/own.test.yaml": cases,
  });
  expect((await frond.run(["test", "flows/main.test.yaml"])).stdout).toContain("1 passed");
  await frond.run(["trust"]);
  const { code, stdout } = await frond.run(["test"]);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("passed") });
});

test("blocks inside a block have the vars and the env of their workflow, and call files by paths", async () => {
  const frond = createFrond({
    "main.yaml": `name: main
description: d
vars: { who: "\${trim(blocks.first.stdout)}" }
env: { A: workflow }
blocks:
  - { id: first, type: Shell, inputs: { command: echo me } }
  - id: group
    for_each: [x, y]
    depends_on: [first]
    blocks:
      - { id: say, type: Shell, inputs: { command: 'echo "$A \${vars.who} \${each.value}"' } }
      - { id: call, type: ExecuteWorkflow, inputs: { workflow: ./parts/main.yaml } }
    outputs: { said: "\${trim(blocks.say.stdout)} \${blocks.call.said}" }
outputs: { said: "\${join(pluck(blocks.group.results, 'said'), ', ')}" }
`,
    "parts/main.yaml": leaf("main", "_$A"),
  });
  expect(await said(frond, "main.yaml")).toBe("workflow me x _, workflow me y _");
});
