import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fetchPackage } from "../../scripts/fetch-package.js";
import { accessibilityPackage } from "../../scripts/needed-packages.js";
import { shell, workflow } from "../rig/frond.ts";
import { openSharedPage } from "../rig/shared-page.ts";
import { closeBrowserAtTheEnd, type Tab, visit } from "../rig/tab.ts";

closeBrowserAtTheEnd();

const page = openSharedPage({
  asking: workflow("asking", [
    shell("before", "echo before"),
    { id: "ask", type: "Prompt", depends_on: ["before"], inputs: { prompt: "Why?", audience: "human" } },
    shell("after", "echo after", { depends_on: ["ask"] }),
  ]),
  failing: workflow("failing", [
    shell("fine", "echo fine"),
    shell("breaks", "printf '\\033[31mfatal\\033[0m\\n' >&2; exit 3", { depends_on: ["fine"] }),
    shell("never", "true", { depends_on: ["breaks"] }),
  ]),
  loop: workflow("loop", [
    shell("each", 'test "${each.value}" != b', { for_each: ["a", "b", "c"], on_failure: "continue" }),
  ]),
  many: workflow(
    "many",
    Array.from({ length: 130 }, (_, index) => shell(`part_${index}`, index === 7 ? "false" : "true")),
  ),
  writes: workflow(
    "writes",
    [{ id: "write", type: "CreateFile", inputs: { path: "made.txt", content: "made ${inputs.for}\n" } }],
    { inputs: { for: { type: "string", default: "all", description: "whom it is for" } } },
  ),
});

test.each([
  ["the list of runs", "writes", () => "/", "of today that ended"],
  ["a run that asks", "asking", (run: string) => `/runs/${run}`, "Send the answer"],
  ["a block that failed", "failing", (run: string) => `/runs/${run}/breaks`, "fatal"],
  ["a loop", "loop", (run: string) => `/runs/${run}/each/`, "3 passes"],
  ["a run of many blocks", "many", (run: string) => `/runs/${run}/`, "130 blocks"],
  ["an undo", "writes", (run: string) => `/undo/${run}`, "nothing is changed yet"],
  ["the list of workflows", "writes", () => "/workflows", "writes"],
  ["a workflow", "writes", () => "/workflows/writes", "whom it is for"],
  ["a workflow that is being written", "writes", () => "/scratch", "Run dry"],
] as const)(
  "%s can be read by people who hear the page, enlarge it or see colours differently",
  async (_, flow, pathOf, text) => {
    const { door } = page();
    const path = pathOf(await runOnce(flow));
    const { tab, origin } = await visit(door);
    await tab.goto(`${origin}${path}`);
    await tab.getByText(text).first().waitFor();
    const found: string[] = [];
    // Colours and sizes don't depend on each other: two of the four pairs find what all would, in half the time.
    for (const [width, colorScheme] of [
      [1440, "light"],
      [400, "dark"],
    ] as const) {
      await tab.setViewportSize({ width, height: 900 });
      await tab.emulateMedia({ colorScheme });
      for (const problem of await findProblems(tab)) found.push(`${width} ${colorScheme}: ${problem}`);
    }
    expect(found).toEqual([]);
  },
);

const runs = new Map<string, Promise<string>>();

function runOnce(flow: string): Promise<string> {
  const run = runs.get(flow) ?? page().run(flow);
  runs.set(flow, run);
  return run;
}

test("no standing is told by colour alone, and the name of a block begins with what is seen of it", async () => {
  const { door } = page();
  const { tab, origin } = await visit(door);
  const shown = await Promise.all(["asking", "failing", "writes"].map(runOnce));
  await tab.goto(`${origin}/`);
  for (const [flow, word] of [
    ["asking", "asks"],
    ["failing", "failed"],
    ["writes", "done"],
  ])
    await tab
      .getByRole("row", { name: new RegExp(`^${word} ${flow}`) })
      .first()
      .waitFor();
  const words = new Map([
    ["asking", ["before .*, done", "ask asks a person", "after to come"]],
    ["failing", ["fine .*, done", "breaks .*, failed", "never .*, skipped"]],
    ["writes", ["write .*, done"]],
  ]);
  for (const [index, names] of [...words.values()].entries()) {
    await tab.goto(`${origin}/runs/${shown[index]}`);
    for (const name of names) {
      const block = tab.getByRole("link", { name: new RegExp(`^${name}`) }).first();
      await block.waitFor();
      expect(name.startsWith(`${await block.locator(".graph-name").textContent()} `)).toBe(true);
    }
  }
});

test("keys alone lead from the list to an answer", async () => {
  const { door, run } = page();
  const runId = await run("asking");
  const { tab } = await visit(door);
  await tab
    .getByRole("link", { name: /^Answer asking/ })
    .first()
    .waitFor();
  await tab.locator(`a[href="/runs/${runId}"]`).first().waitFor();
  await tab.keyboard.press("ArrowDown");
  await focusOn(tab, `/runs/${runId}`, "a");
  await tab.keyboard.press("Enter");
  await tab.getByRole("button", { name: "Send the answer" }).waitFor();
  await tab.keyboard.press("a");
  await tab.keyboard.type("because");
  await tab.keyboard.press("Control+Enter");
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  await tab.getByRole("link", { name: /^after .*, done/ }).waitFor();
});

test("keys alone lead from the list to the log of a block that failed", async () => {
  const { door, run } = page();
  const runId = await run("failing");
  const { tab } = await visit(door);
  // Of several that look the same, this one.
  await tab.locator(`a[href="/runs/${runId}"]`).first().waitFor();
  await focusOn(tab, `/runs/${runId}`, "f");
  await tab.keyboard.press("Enter");
  await tab.getByRole("link", { name: /^breaks .*, failed/ }).waitFor();
  await tab.keyboard.press("f");
  await tab.waitForURL(/\/breaks$/);
  await tab.locator(".log-row.log-stderr").waitFor();
  await tab.keyboard.press("l");
  expect(await tab.evaluate("document.activeElement.closest('[data-part]')?.dataset.part")).toBe("log");
  await tab.keyboard.press("Escape");
  await tab.waitForURL(new RegExp(`/${runId}$`));
});

/** Presses a key until the focus is on the link to this path. */
async function focusOn(tab: Tab, path: string, key: string): Promise<void> {
  const focused = "document.activeElement.getAttribute('href')";
  for (let count = 0; count < 30 && (await tab.evaluate<string>(focused)) !== path; count++)
    await tab.keyboard.press(key);
  expect(await tab.evaluate(focused)).toBe(path);
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe calls serious or critical; rules that it tries out are among them. */
async function findProblems(tab: Tab): Promise<readonly string[]> {
  if (!(await tab.evaluate<boolean>("'axe' in window"))) await tab.evaluate(readAxe());
  const tried = '{ "label-content-name-mismatch": { enabled: true } }';
  const { violations } = await tab.evaluate<{ violations: readonly Finding[] }>(
    `axe.run(document, { resultTypes: ["violations"], rules: ${tried} })`,
  );
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

function readAxe(): string {
  const path = fetchPackage(...accessibilityPackage);
  if (path === undefined) throw new Error("These tests need axe-core: npm must be able to fetch it.");
  return readFileSync(path, "utf8");
}
