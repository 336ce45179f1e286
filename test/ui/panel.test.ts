import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { type Box, closeBrowserAtTheEnd, type Tab, type Visit, visit } from "../rig/tab.ts";
import { waitFor } from "../rig/wait-for.ts";

closeBrowserAtTheEnd();

test("the reason of a failure and the end of its log are seen without scrolling", async () => {
  const frond = createFrond();
  const command =
    'for i in $(seq 1 300); do echo "line $i"; done; printf "\\033[31mfatal: it broke\\033[0m\\n" >&2; exit 3';
  frond.write("w.yaml", workflow("w", [shell("talk", command)]));
  const { tab, origin } = await openPage(frond);
  const { reply } = await frond.json(["run", "w.yaml", "--json"]);
  await tab.goto(`${origin}/runs/${(reply as { run_id: string }).run_id}/talk`);
  const row = tab.locator(".log-row.log-stderr");
  await row.waitFor();
  expect(await row.textContent()).toContain("stderr: fatal: it broke");
  expect(await tab.locator(".panel-sentence").textContent()).toContain("exit code 3: fatal: it broke");
  const [line, box] = [await row.boundingBox(), await tab.locator(".log-box").boundingBox()];
  const bottomOf = (one: Box | null): number => (one?.y ?? 1000) + (one?.height ?? 1000);
  expect(bottomOf(line)).toBeLessThanOrEqual(bottomOf(box));
  expect(bottomOf(box)).toBeLessThan(900);
  // Of 301 lines only those in sight are drawn.
  expect(await tab.locator(".log-row").count()).toBeLessThan(60);
});

test("a log follows its end until it is scrolled up, and can be searched", async () => {
  const frond = createFrond();
  const command = "seq 1 100; until [ -f go ]; do sleep 0.05; done; seq 101 200; until [ -f end ]; do sleep 0.05; done";
  frond.write("w.yaml", workflow("w", [shell("talk", command)]));
  const { tab, origin } = await openPage(frond);
  const running = frond.start(["run", "w.yaml", "--json"]);
  await tab.goto(`${origin}/runs/${await latestRun(tab)}/talk`);
  await tab.getByText("100", { exact: true }).waitFor();
  await tab.evaluate("document.querySelector('.log-box').scrollTop = 0");
  await tab.getByText("Follow", { exact: true }).waitFor();
  frond.write("go", "");
  await tab.getByText("200 lines").waitFor();
  expect(await tab.evaluate("document.querySelector('.log-box').scrollTop")).toBe(0);
  await tab.keyboard.press(".");
  await tab.getByText("200", { exact: true }).waitFor();
  await tab.keyboard.press("l");
  await tab.keyboard.press("/");
  await tab.locator('[aria-label="Find in the log"]:focus').waitFor();
  await tab.keyboard.type("19");
  await tab.getByText("12 found").waitFor();
  await tab.keyboard.press("Enter");
  await tab.getByText("1 of 12").waitFor();
  await tab.locator(".log-current").waitFor();
  expect(await tab.locator(".log-current .log-text").textContent()).toBe("19");
  frond.write("end", "");
  await running.ended;
});

test("changed files unfold to their diffs", async () => {
  const frond = createFrond();
  frond.write("a.txt", "one two three\n");
  const edit = { path: "a.txt", operations: [{ type: "replace_text", old_text: "two", new_text: "2" }] };
  frond.write("w.yaml", workflow("w", [{ id: "edit", type: "EditFile", inputs: edit }]));
  const { tab, origin } = await openPage(frond);
  const { reply } = await frond.json(["run", "w.yaml", "--json"]);
  await tab.goto(`${origin}/runs/${(reply as { run_id: string }).run_id}/edit#changes`);
  await tab.locator(".diff-removed").waitFor();
  expect(await tab.locator(".diff-removed mark").textContent()).toBe("two");
  expect(await tab.locator(".diff-added").textContent()).toBe("1+addedone 2 three");
  expect(await tab.evaluate("document.activeElement.dataset.part")).toBe("changes");
  await tab.getByText("Undo restores it").waitFor();
});

async function openPage(frond: Frond): Promise<Visit> {
  return visit(await openHttpDoor(frond));
}

/** As soon as the server knows of one. */
async function latestRun(tab: Tab): Promise<string> {
  const script = "fetch('/api/runs').then((answer) => answer.json()).then(({ runs }) => runs[0]?.run_id ?? '')";
  let found = "";
  await waitFor("a run in the list", async () => {
    found = await tab.evaluate<string>(script);
    return found !== "";
  });
  return found;
}
