import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { type HttpDoor, openHttpDoor } from "../rig/http-door.ts";
import { closeBrowserAtTheEnd, type Tab, visit } from "../rig/tab.ts";

closeBrowserAtTheEnd();

const focused =
  'document.activeElement.getAttribute("aria-label") ?? document.activeElement.querySelector("title")?.textContent ?? ""';

test("the graph of a run is walked by arrow keys, and Enter selects a block, then steps into it", async () => {
  const { door, runId } = await runWorkflow(`
name: shapes
description: A loop between two blocks
blocks:
  - { id: plan, type: Shell, inputs: { command: "true" } }
  - { id: each, type: Shell, depends_on: [plan], for_each: [a, b, c], inputs: { command: "true" } }
  - { id: last, type: Shell, depends_on: [each], inputs: { command: "true" } }
`);
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}`);
  const plan = tab.getByRole("link", { name: /^plan .*done/ });
  await plan.waitFor();
  await tab.keyboard.press("ArrowRight");
  expect(await tab.evaluate(focused)).toMatch(/^plan .*, done/);
  await tab.keyboard.press("ArrowRight");
  expect(await tab.evaluate(focused)).toMatch(/^each .*, done.*holds 3 passes/);
  await tab.keyboard.press("ArrowRight");
  expect(await tab.evaluate(focused)).toMatch(/^last .*, done/);
  await tab.keyboard.press("ArrowLeft");
  await tab.keyboard.press("Enter");
  await tab.waitForURL(/\/each$/);
  await tab
    .getByRole("link", { name: /^each / })
    .first()
    .press("Enter");
  await tab.waitForURL(/\/each\/$/);
  await tab.getByText("3 passes: 3 done").waitFor();
});

test("more than 120 blocks are groups whose cells are reached by arrow keys", async () => {
  const blocks = Array.from(
    { length: 130 },
    (_, index) => `  - { id: part_${index}, type: Shell, inputs: { command: "${index === 7 ? "false" : "true"}" } }`,
  );
  const { door, runId } = await runWorkflow(`name: many\ndescription: Many blocks\nblocks:\n${blocks.join("\n")}\n`);
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}/`);
  await tab.getByRole("link", { name: /^part_\* 130 blocks: 1 failed, 129 done/ }).waitFor();
  expect(await countElements(tab)).toBeLessThan(900);
  await tab.locator(".cell-grid a").focus();
  await tab.keyboard.press("ArrowRight");
  await tab.keyboard.press("ArrowRight");
  expect(await tab.evaluate(focused)).toMatch(/^part_2, done/);
  await tab.keyboard.press("Enter");
  await tab.waitForURL(/\/part_2$/);
});

test("groups stay in sight until others are laid out, and what is below the graph does not move", async () => {
  const blocks = Array.from(
    { length: 130 },
    (_, index) => `  - { id: part_${index}, type: Shell, inputs: { command: "${index < 9 ? "false" : "true"}" } }`,
  );
  blocks.push('  - { id: last, type: Shell, depends_on: [part_20], inputs: { command: "true" } }');
  const { door, runId } = await runWorkflow(`name: many\ndescription: Many blocks\nblocks:\n${blocks.join("\n")}\n`);
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}/`);
  const byName = tab.getByRole("link", { name: /^part_\* 130 blocks/ });
  await byName.waitFor();
  const top = 'document.querySelector(".timeline").getBoundingClientRect().top';
  const before = await tab.evaluate<number>(top);
  let release = (): void => undefined;
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await tab.route("**/api/drawings/graph", async (request) => {
    ask();
    await released;
    await request.continue();
  });
  await tab.getByRole("button", { name: "state", exact: true }).click();
  await asked;
  expect(await byName.count()).toBe(1);
  expect(await tab.evaluate<number>(top)).toBe(before);
  release();
  await tab.getByRole("link", { name: /^failed 9 blocks/ }).waitFor();
  expect(await byName.count()).toBe(0);
});

function countElements(tab: Tab): Promise<number> {
  return tab.evaluate<number>('document.querySelectorAll(".graph *").length');
}

async function runWorkflow(yaml: string): Promise<{ door: HttpDoor; runId: string }> {
  const frond = createFrond();
  frond.write("shapes.yaml", yaml);
  const { reply } = await frond.json(["run", "shapes.yaml", "--json"]);
  return { door: await openHttpDoor(frond), runId: (reply as { run_id: string }).run_id };
}
