import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shell, workflow } from "../rig/frond.ts";
import { openSharedPage } from "../rig/shared-page.ts";
import { closeBrowserAtTheEnd, type Locator, visit } from "../rig/tab.ts";
import { waitFor } from "../rig/wait-for.ts";

closeBrowserAtTheEnd();

const until = (file: string): string => `until [ -f ${file} ]; do sleep 0.05; done`;
const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?", audience: "human", choices: ["yes", "no"] } };
const inner = { id: "inner", blocks: [asking, shell("after", "echo went on > answered", { depends_on: ["ask"] })] };
const page = openSharedPage({
  greet: workflow(
    "greet",
    [shell("first", until("go")), shell("second", "echo hello ${inputs.name} > greeting", { depends_on: ["first"] })],
    { inputs: { name: { type: "string", required: true } } },
  ),
  deep: workflow("deep", [{ id: "outer", blocks: [{ id: "each", for_each: ["one"], blocks: [inner] }] }]),
  broken: workflow("broken", [
    ...Array.from({ length: 30 }, (_, index) => shell(`part_${index}`, "true")),
    shell("breaks", "echo fatal: no space left >&2; exit 3", { depends_on: ["part_29"] }),
  ]),
  steps: workflow("steps", [
    shell("one", "echo 1"),
    shell("two", "echo 2", { depends_on: ["one"] }),
    shell("three", "echo 3", { depends_on: ["two"] }),
  ]),
  writes: workflow("writes", [{ id: "write", type: "CreateFile", inputs: { path: "made.txt", content: "made\n" } }]),
  endless: workflow("endless", [shell("waits", until("never"))]),
});

test("a workflow is started from its form, and its blocks turn while it runs", async () => {
  const { door, frond } = page();
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/workflows`);
  await tab
    .getByRole("link", { name: /^greet/ })
    .first()
    .click();
  await tab.getByLabel(/^name/).fill("Ada");
  await tab.getByRole("button", { name: "Run", exact: true }).click();
  await tab.waitForURL(/\/runs\/run_/);
  await tab.getByRole("link", { name: /^first .*running/ }).waitFor();
  await tab.getByRole("link", { name: /^second to come/ }).waitFor();
  await tab.keyboard.press(".");
  await tab.waitForURL(/\/first$/);
  frond.write("go", "");
  await tab.getByRole("link", { name: /^first .*done/ }).waitFor();
  await tab.getByRole("link", { name: /^second .*done/ }).waitFor();
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  expect(frond.read("greeting")).toBe("hello Ada\n");
});

test("a question three levels deep is answered from the list, and the run goes on", async () => {
  const { door, frond, run } = page();
  await run("deep");
  const { tab } = await visit(door);
  await tab.getByRole("link", { name: /^Answer deep/ }).click();
  const question = tab.getByRole("article", { name: /^outer\/each\/.*\/inner\/ask asks$/ });
  await question.getByText("Go on?").waitFor();
  await question.getByRole("button", { name: "Yes", exact: true }).click();
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  expect(await question.count()).toBe(0);
  expect(frond.read("answered")).toBe("went on\n");
});

test("the reason of a failure is in sight as soon as its run is opened, on wide and on narrow screens", async () => {
  const { door, run } = page();
  const runId = await run("broken");
  const { tab, origin } = await visit(door);
  for (const [width, height] of [
    [1440, 900],
    [400, 800],
  ] as const) {
    await tab.setViewportSize({ width, height });
    await tab.goto(`${origin}/runs/${runId}`);
    const reason = tab.getByText(/fatal: no space left/).first();
    await reason.waitFor();
    await waitFor("the reason to be in sight", async () => isInside(reason, width, height));
  }
});

test("a rerun from a block says what is reused and what runs before it runs", async () => {
  const { door, run } = page();
  const runId = await run("steps");
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}/two`);
  await tab.getByRole("button", { name: "Rerun from here" }).click();
  const dialog = tab.getByRole("dialog", { name: "Rerun steps" });
  await dialog.getByText(/reuse/).first().waitFor();
  await dialog.getByRole("button", { name: "Rerun 2 blocks" }).click();
  await waitFor("the page of the new run", () => !tab.url().includes(runId));
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  await tab.getByRole("link", { name: /^one reused, done/ }).waitFor();
  await tab.getByRole("link", { name: /^three .*done/ }).waitFor();
});

test("an undo shows what it does, and then the file is gone", async () => {
  const { door, frond, run } = page();
  const runId = await run("writes");
  const made = join(frond.directory, "made.txt");
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}`);
  await tab.getByRole("button", { name: "Undo..." }).click();
  await tab.getByText("made.txt").first().waitFor();
  expect(existsSync(made)).toBe(true);
  await tab.getByRole("button", { name: "Undo 1 file" }).click();
  await waitFor("the page of the undo", () => /\/runs\/run_/.test(tab.url()) && !tab.url().includes(runId));
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  expect(existsSync(made)).toBe(false);
});

test("a run is cancelled after what runs was named", async () => {
  const { door, begin } = page();
  const runId = await begin("endless");
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}`);
  await tab.getByRole("link", { name: /^waits .*running/ }).waitFor();
  await tab.getByRole("button", { name: "Cancel", exact: true }).click();
  const dialog = tab.getByRole("dialog", { name: "Cancel endless?" });
  await dialog.getByText("waits").waitFor();
  await dialog.getByRole("button", { name: "Cancel the run" }).click();
  await tab.getByText("Cancelled", { exact: true }).waitFor();
  await tab.getByRole("link", { name: /^waits .*cancelled/ }).waitFor();
});

async function isInside(locator: Locator, width: number, height: number): Promise<boolean> {
  const box = await locator.boundingBox();
  return box !== null && box.x >= 0 && box.y >= 0 && box.x < width && box.y + box.height <= height;
}
