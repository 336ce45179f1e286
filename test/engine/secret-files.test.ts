import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine, type Outcome, type TestEngine } from "../rig/engine.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";

const canary = "kanari'+/?=vögel 7d1f";

function expectNoSecret(engine: TestEngine, { events, response }: Outcome): void {
  expect(findSecret(JSON.stringify(events), canary)).toEqual([]);
  expect(findSecret(JSON.stringify(response), canary)).toEqual([]);
  expect(filesWithSecret(engine.engine.platform.stateDirectory, canary)).toEqual([]);
}

describe("files that hold a secret", () => {
  test("are changed, but their old content is kept nowhere", async () => {
    const engine = createTestEngine({ secrets: { CANARY: canary } });
    writeFileSync(join(engine.workspace, "a.txt"), `token: ${canary}\n`);
    writeFileSync(join(engine.workspace, "b.txt"), "harmless\n");
    const outcome = await engine.run({
      blocks: [
        { id: "a", type: "CreateFile", inputs: { path: "a.txt", content: "new" } },
        { id: "b", type: "CreateFile", inputs: { path: "b.txt", content: "new" } },
      ],
    });
    expect(outcome.response.status).toBe("success");
    expect(readFileSync(join(engine.workspace, "a.txt"), "utf8")).toBe("new");
    expectNoSecret(engine, outcome);
    const changes = outcome.events.flatMap((event) => (event.type === "file-changed" ? event.changes : []));
    const kept = changes.flatMap((change) =>
      change.kind === "write" && change.before.kind === "file" && change.before.kept === true ? [change.at.path] : [],
    );
    expect(changes).toHaveLength(2);
    expect(kept).toEqual(["b.txt"]);
  });

  test("lose it when they are read", async () => {
    const engine = createTestEngine({ secrets: { CANARY: canary } });
    writeFileSync(join(engine.workspace, "a.txt"), `token: ${canary}\n`);
    const read = (id: string, more: object = {}): object => ({
      id,
      type: "ReadFile",
      inputs: { path: "a.txt", ...more },
    });
    const outcome = await engine.run({ blocks: [read("text"), read("binary", { mode: "binary" })] });
    expectNoSecret(engine, outcome);
    expect(outcome.response.blocks?.text?.outputs.content).toBe("token: [secret CANARY]\n");
  });

  test("show no hash by which the secret could be guessed", async () => {
    const engine = createTestEngine({ secrets: { CANARY: canary } });
    const [text, edited] = [`token: ${canary}\n`, `token: ${canary} \n`];
    for (const name of ["read", "edited", "expected", "unexpected"]) writeFileSync(join(engine.workspace, name), text);
    const hash = (content: string): string => createHash("sha256").update(content).digest("hex");
    const edit = (path: string, more: object = {}): object => ({
      id: path,
      type: "EditFile",
      inputs: { path, operations: [{ type: "replace_text", old_text: "\n", new_text: " \n" }], ...more },
    });
    const outcome = await engine.run({
      blocks: [
        { id: "read", type: "ReadFile", inputs: { path: "read" } },
        { id: "binary", type: "ReadFile", inputs: { path: "read", mode: "binary" } },
        {
          id: "encoded",
          type: "CreateFile",
          inputs: { path: "c", content: Buffer.from(text).toString("base64"), encoding: "base64" },
        },
        edit("edited"),
        edit("expected", { expect_sha256: hash(text) }),
        edit("unexpected", { expect_sha256: hash("x") }),
        { id: "harmless", type: "CreateFile", inputs: { path: "d", content: "x" } },
      ],
    });
    const { blocks } = outcome.response;
    const withheld = "withheld: the file holds a secret";
    expect(blocks?.read?.outputs.sha256).toBe(withheld);
    expect(blocks?.binary?.outputs.sha256).toBe(withheld);
    expect(blocks?.encoded?.outputs.sha256).toBe(withheld);
    expect(blocks?.edited?.outputs).toMatchObject({ sha256_before: withheld, sha256_after: withheld });
    expect(blocks?.expected?.metadata.outcome).toBe("success");
    expect(blocks?.unexpected?.metadata.message).toContain(`its hash is ${withheld}, not ${hash("x")}`);
    expect(blocks?.harmless?.outputs.sha256).toBe(hash("x"));
    expect(JSON.stringify(outcome.response)).not.toContain(hash(edited));
  });
});
