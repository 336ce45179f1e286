import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

test("info tells what a workflow takes, gives and does", async () => {
  const text = workflow(
    "deploy",
    [
      shell("build", "make", { description: "Builds it" }),
      shell("push", "push", { depends_on: ["build"], condition: "${inputs.really}" }),
      shell("tell", "tell", { depends_on: [{ block: "push", required: false }] }),
    ],
    {
      version: "2.0",
      tags: ["ops"],
      inputs: {
        target: { type: "string", description: "Where", required: true, enum: ["a", "b"] },
        really: { type: "boolean", description: "Whether", default: true },
      },
      outputs: { url: { value: "${blocks.push.stdout}", type: "string", description: "Address" } },
    },
  );
  const frond = createFrond({ "deploy.yaml": text });
  expect(await frond.json(["info", "deploy.yaml"])).toEqual({
    code: 0,
    reply: {
      name: "deploy",
      description: "The workflow deploy",
      version: "2.0",
      tags: ["ops"],
      file: "deploy.yaml",
      inputs: {
        target: { type: "string", description: "Where", required: true, enum: ["a", "b"] },
        really: { type: "boolean", description: "Whether", required: false, default: true },
      },
      outputs: { url: { type: "string", description: "Address" } },
      blocks: [
        expect.objectContaining({ id: "build", type: "Shell", description: "Builds it", wave: 0, depends_on: [] }),
        expect.objectContaining({
          id: "push",
          type: "Shell",
          wave: 1,
          depends_on: [{ block: "build", required: true, reason: expect.any(String) }],
          condition: "${inputs.really}",
        }),
        expect.objectContaining({
          id: "tell",
          wave: 2,
          depends_on: [{ block: "push", required: false, reason: expect.any(String) }],
        }),
      ],
      capabilities: expect.arrayContaining(["commands"]),
      undo: expect.objectContaining({ blocks: { irreversible: 3 } }),
      execution_waves: 3,
    },
  });
  const { stdout } = await frond.run(["info", "deploy.yaml"]);
  expect(stdout).toContain('  target  string   required      Where (one of "a", "b")\n');
  expect(stdout).toContain("  really  boolean  default true  Whether\n");
  expect(stdout).toContain("  url  string  Address\n");
  expect(stdout).toContain("  push   Shell after build if ${inputs.really}\n");
  expect(stdout).toContain("  tell   Shell after push?\n");
  expect(stdout).toMatch(/\nRun it: frond run deploy.yaml --input target=a\n$/);
});

test("info, list and validate show which workers take a workflow, where it works there and when they start it", async () => {
  const more = {
    runs_on: ["gpu", "linux"],
    workspace: { git: "https://example.org/app.git", ref: "${inputs.branch}" },
    schedule: { cron: "0 3 * * *", timezone: "Europe/Berlin" },
    concurrency: 2,
    inputs: { branch: { type: "string", description: "d", default: "main" } },
  };
  const frond = createFrond();
  mkdirSync(join(frond.home, ".frond/workflows"), { recursive: true });
  writeFileSync(
    join(frond.home, ".frond/workflows/nightly.yaml"),
    workflow("nightly", [shell("say", "echo home")], more),
  );
  const data = {
    runs_on: ["gpu", "linux"],
    workspace: { git: "https://example.org/app.git", ref: "${inputs.branch}" },
    schedule: [{ cron: "0 3 * * *", timezone: "Europe/Berlin", runs: "at 03:00 every day" }],
    concurrency: 2,
  };
  expect((await frond.json(["info", "nightly"])).reply).toMatchObject(data);
  expect((await frond.json(["validate", "nightly"])).reply).toMatchObject({ files: [data] });
  const { stdout } = await frond.run(["info", "nightly"]);
  expect(stdout).toContain("Workers: only those with the labels gpu, linux.");
  expect(stdout).toContain("a fresh checkout of https://example.org/app.git at ${inputs.branch} for each run.");
  expect(stdout).toMatch(/at 03:00 every day Europe\/Berlin \(0 3 \* \* \*\), next \d{4}-\d\d-\d\dT0[12]:00Z\./);
  const run = await frond.run(["run", "nightly"]);
  expect(run.stderr).toContain(
    `It works in ${frond.directory}: \`workspace\` of the workflow is for runs that workers take.`,
  );
  expect((await frond.run(["list", "nightly"])).stdout).toMatch(/at 03:00 every day Europe\/Berlin, next .*:00Z/);
});
