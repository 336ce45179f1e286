import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { openSharedPage } from "../rig/shared-page.ts";
import { closeBrowserAtTheEnd, type Tab, visit } from "../rig/tab.ts";

closeBrowserAtTheEnd();

const until = (file: string): string => `until [ -f ${file} ]; do sleep 0.05; done`;
const waiting = (name: string): string =>
  workflow(name, [
    shell("first", "echo begun"),
    shell("second", until(`${name}-go`), { depends_on: ["first"] }),
    shell("third", "echo ended", { depends_on: ["second"] }),
  ]);
const page = openSharedPage({
  asking: workflow("asking", [
    { id: "ask", type: "Prompt", inputs: { prompt: "Go on?", audience: "human", choices: ["yes", "no"] } },
  ]),
  reloaded: waiting("reloaded"),
  elsewhere: waiting("elsewhere"),
  outlasting: waiting("outlasting"),
});

test("two tabs are in step: what one answers, the other shows", async () => {
  const { door, run } = page();
  const runId = await run("asking");
  const { tab, origin, another } = await visit(door);
  const other = await another();
  for (const one of [tab, other]) {
    await one.goto(`${origin}/runs/${runId}`);
    await one.getByText("Waits for an answer").waitFor();
  }
  await tab.getByRole("button", { name: "Yes", exact: true }).click();
  for (const one of [tab, other]) {
    await one.getByText("Succeeded", { exact: true }).waitFor();
    await one.getByRole("article", { name: "ask asks" }).waitFor({ state: "hidden" });
  }
});

test("a page that is loaded again in the middle of a run shows the same", async () => {
  const { door, frond, begin } = page();
  const runId = await begin("reloaded");
  const { tab, origin } = await visit(door);
  await tab.goto(`${origin}/runs/${runId}`);
  await showsMiddle(tab);
  await tab.reload();
  await showsMiddle(tab);
  frond.write("reloaded-go", "");
  await showsEnd(tab);
});

test("a run that another process drives shows up in the list and goes on in its view", async () => {
  const { door, frond } = page();
  const { tab } = await visit(door);
  await tab
    .getByRole("link", { name: /^Workflows/ })
    .first()
    .waitFor();
  const running = frond.start(["run", ".frond/workflows/elsewhere.yaml", "--json"]);
  await tab.getByRole("row", { name: /^running elsewhere/ }).waitFor();
  await tab.getByRole("link", { name: /^elsewhere/ }).click();
  await showsMiddle(tab);
  frond.write("elsewhere-go", "");
  await showsEnd(tab);
  await tab.keyboard.press("g");
  await tab.keyboard.press("r");
  await tab.getByRole("row", { name: /^done elsewhere/ }).waitFor();
  expect((await running.ended).code).toBe(0);
});

test("a page goes on by itself when the server is killed in the middle of a run and started again", async () => {
  const { door, frond } = page();
  const running = frond.start(["run", ".frond/workflows/outlasting.yaml", "--json"]);
  const { tab } = await visit(door, {
    allows: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/,
  });
  await tab.getByRole("link", { name: /^outlasting/ }).click();
  await showsMiddle(tab);
  door.running.child.kill("SIGKILL");
  await door.running.ended;
  await tab.getByText("Not connected, trying again.").waitFor();
  await showsMiddle(tab);
  frond.write("outlasting-go", "");
  expect((await running.ended).code).toBe(0);
  await openHttpDoor(frond, [], door.port);
  await showsEnd(tab);
  await tab.getByText("Live", { exact: true }).waitFor();
});

test("a browser that one project let in can neither see nor do anything in another", async () => {
  const { door, frond, run } = page();
  const { tab, origin, context } = await visit(door, { allows: /status of 401/ });
  const runId = await run("asking");
  const other = await openHttpDoor(withState(createFrond(), frond.state));
  const { origin: others } = new URL(other.url);
  // As if it had been let in here: by the name that the server looks for.
  const [{ value } = { value: "" }] = await context.cookies(origin);
  expect(value).not.toBe("");
  const name = `frond-${other.port}`;
  await context.addCookies([{ name, value, url: others, httpOnly: true, sameSite: "Strict" }]);
  await tab.goto(`${others}/runs/${runId}`);
  await tab
    .getByText(/frond ui/)
    .first()
    .waitFor();
  expect(await tab.locator("#page").count()).toBe(0);
  const headers = { cookie: `${name}=${value}`, "content-type": "application/json", "x-frond": "1" };
  for (const [method, path] of [
    ["GET", "/api/runs"],
    ["POST", `/api/runs/${runId}/cancel`],
  ] as const) {
    const answer = await fetch(new URL(path, others), {
      method,
      headers,
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  await tab.goto(`${origin}/runs/${runId}`);
  await tab.getByText("Waits for an answer").waitFor();
});

async function showsMiddle(tab: Tab): Promise<void> {
  await tab.getByRole("link", { name: /^first .*done/ }).waitFor();
  await tab.getByRole("link", { name: /^second .*running/ }).waitFor();
  await tab.getByRole("link", { name: /^third to come/ }).waitFor();
}

async function showsEnd(tab: Tab): Promise<void> {
  await tab.getByText("Succeeded", { exact: true }).waitFor();
  await tab.getByRole("link", { name: /^third .*done/ }).waitFor();
}

/** Another project of the same person: its runs are kept in the same place. */
function withState(frond: Frond, state: string): Frond {
  return { ...frond, state, start: (args) => frond.start(args, { env: { FROND_STATE_DIR: state } }) };
}
