import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { workflow } from "../rig/frond.ts";
import { openSharedPage } from "../rig/shared-page.ts";
import { closeBrowserAtTheEnd, type Tab, visit, visitFile } from "../rig/tab.ts";

closeBrowserAtTheEnd();

/** What would do something if it were more than text. */
const hostile = `<script>alert(1)</script><img src=x onerror="alert(2)"><b id=made>`;
const escapes = "\u001b]8;;javascript:alert(3)\u0007link\u001b]8;;\u0007\u001b[2J\u001b[31m";
const bad = workflow(
  "bad",
  [
    { id: "log", type: "Shell", inputs: { command: "cat hostile.txt" } },
    {
      id: "write",
      type: "CreateFile",
      depends_on: ["log"],
      inputs: { path: "<img src=x onerror=alert(4)>.txt", content: "${inputs.text}" },
    },
    {
      id: "ask",
      type: "Prompt",
      depends_on: ["write"],
      inputs: { prompt: "${inputs.text}", audience: "human", choices: ["<b>yes</b>", "no"] },
    },
  ],
  { description: hostile, inputs: { text: { type: "string", default: hostile, description: hostile } } },
);
const page = openSharedPage({ bad });
let runId = "";

async function runBad(): Promise<string> {
  const { frond, run } = page();
  frond.write("hostile.txt", `${hostile}${escapes}\n`);
  if (runId === "") runId = await run("bad");
  return runId;
}

test("what a workflow, an input, a log, a file name or a question holds stays text", async () => {
  const { door } = page();
  const run = await runBad();
  const { tab, origin } = await visit(door);
  const dialogs = hearDialogs(tab);
  for (const [path, text] of [
    ["/", "bad"],
    ["/workflows", hostile],
    ["/workflows/bad", hostile],
    [`/runs/${run}`, hostile],
    [`/runs/${run}/log`, hostile],
    [`/runs/${run}/write`, "<img src=x onerror=alert(4)>.txt"],
    [`/runs/${run}/ask`, hostile],
    [`/undo/${run}`, "<img src=x onerror=alert(4)>.txt"],
  ] as const) {
    await tab.goto(`${origin}${path}`);
    await tab.getByText(text).first().waitFor({ state: "attached" });
    expect([path, await strangeElements(tab)]).toEqual([path, 0]);
  }
  expect(dialogs).toEqual([]);
});

test("a script that gets into the page is not run", async () => {
  const { door } = page();
  const { tab } = await visit(door, { allows: /Content Security Policy/ });
  await tab.evaluate(`{
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => { window.violated = effectiveDirective; });
    const script = document.createElement("script");
    script.textContent = "window.hasRun = true";
    document.body.append(script);
  }`);
  await tab.waitForFunction("window.violated !== undefined");
  expect(await tab.evaluate("window.violated")).toMatch(/^script-src/);
  expect(await tab.evaluate("window.hasRun === undefined")).toBe(true);
});

test("the file of a run shows its graph and its log, keeps text text, and asks nobody for anything", async () => {
  const { frond } = page();
  const run = await runBad();
  const file = join(frond.directory, "run.html");
  expect(await frond.alone.run(["show", run, "--html", file])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).not.toContain(hostile);
  const { tab, requests } = await visitFile(pathToFileURL(file));
  const dialogs = hearDialogs(tab);
  await tab.getByRole("link", { name: /^log .*done/ }).waitFor();
  expect(await strangeElements(tab)).toBe(0);
  await tab.getByRole("link", { name: /^log .*done/ }).click();
  await tab.locator(".log-row").first().waitFor();
  expect(await tab.locator(".log-row").first().textContent()).toContain(hostile);
  await tab.getByRole("link", { name: /^write .*done/ }).click();
  await tab.getByText("<img src=x onerror=alert(4)>.txt").first().waitFor();
  expect(await strangeElements(tab)).toBe(0);
  expect(dialogs).toEqual([]);
  expect(requests).toEqual([pathToFileURL(file).href]);
});

/** Elements that only text could have made. */
function strangeElements(tab: Tab): Promise<number> {
  const named = "#made, img, a[href^='javascript'], [onerror], #page script";
  return tab.evaluate<number>(`document.querySelectorAll(${JSON.stringify(named)}).length`);
}

function hearDialogs(tab: Tab): readonly string[] {
  const heard: string[] = [];
  tab.on("dialog", (dialog) => {
    heard.push(dialog.message());
    void dialog.dismiss();
  });
  return heard;
}
