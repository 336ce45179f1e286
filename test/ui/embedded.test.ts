import { expect, test } from "vitest";
import { openAppHost, showingApps } from "../rig/app-host.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";
import { closeBrowserAtTheEnd } from "../rig/tab.ts";
import { waitFor } from "../rig/wait-for.ts";

closeBrowserAtTheEnd();

const held = "echo begun; until [ -f go ]; do sleep 0.05; done; echo ended";

test("a client shows a run beside the reply that names it, and how it goes on", async () => {
  const frond = createFrond();
  const { client, call } = await connect(frond, { capabilities: showingApps });
  const blocks = [shell("build", held), { ...shell("deploy", "echo there"), depends_on: ["build"] }];
  const { data } = await call("execute_inline_workflow", {
    workflow_yaml: workflow("release", blocks),
    wait_seconds: 0,
  });
  const { frame, tell, heard, read, tab } = await openAppHost({ client, tool: "execute_workflow", width: 760 });
  await frame.getByText("The run is shown as soon as the tool replies.").waitFor();
  expect(read).toEqual([]);
  await tell("ui/notifications/tool-input", { arguments: { workflow: "release" } });
  await tell("ui/notifications/tool-result", { content: [], structuredContent: data });
  await frame.getByRole("heading", { name: "release" }).waitFor();
  await frame.getByRole("link", { name: /^deploy to come/ }).waitFor();
  await frame.locator(".run-head-standing.running").waitFor();
  expect(read.every((uri) => uri.startsWith(`run://${data.run_id}/page/`))).toBe(true);
  // The frame follows what is in it.
  await waitFor("the frame to grow", async () => {
    const sizes = await heard<{ readonly height: number }>("ui/notifications/size-changed");
    return (sizes.at(-1)?.height ?? 0) > 200;
  });
  const height = (await tab.locator("iframe").boundingBox())?.height ?? 0;
  expect(height).toBeLessThan(1500);

  await frame
    .getByRole("link", { name: /^build .*running/ })
    .first()
    .click();
  await frame.locator(".panel").getByText("begun", { exact: true }).waitFor();
  frond.write("go", "");
  await frame.locator(".panel").getByText("ended", { exact: true }).waitFor();
  await frame.locator(".run-head-standing.done").waitFor();
  // Nothing is asked for once nothing more can come.
  const asked = read.filter((uri) => uri.includes("/page/level/")).length;
  await tell("ui/notifications/host-context-changed", { theme: "dark" });
  await frame.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  expect(read.filter((uri) => uri.includes("/page/level/"))).toHaveLength(asked);
  // Nothing here acts on the run.
  expect(await frame.getByRole("button", { name: /rerun|undo|cancel|resume/i }).count()).toBe(0);
});

test("a question says where it is answered, and is gone once it is", async () => {
  const frond = createFrond();
  const { client, call } = await connect(frond, { capabilities: showingApps });
  const blocks = [{ id: "way", type: "Prompt", inputs: { prompt: "Left or right?", choices: ["left", "right"] } }];
  const { data } = await call("execute_inline_workflow", { workflow_yaml: workflow("asking", blocks) });
  const { frame, tell } = await openAppHost({ client, tool: "get_run", theme: "dark", width: 400 });
  await tell("ui/notifications/tool-input", { arguments: { run_id: data.run_id } });
  await frame.getByText("Left or right?").first().waitFor();
  await frame
    .locator(".embedded-answer")
    .getByText(/Say the answer in the conversation/)
    .waitFor();
  await frame.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  await call("resume_workflow", { checkpoint_id: data.run_id, response: "left" });
  await frame.locator(".embedded-answer").waitFor({ state: "hidden" });
  await frame.locator(".run-head-standing.done").waitFor();
});

test("a call without a run says what is wrong, and a run that is not there is told of", async () => {
  const { client, call } = await connect(createFrond(), { capabilities: showingApps });
  const { frame, tell } = await openAppHost({ client, tool: "execute_workflow" });
  const { data } = await call("execute_workflow", { workflow: "no-such-workflow" });
  await tell("ui/notifications/tool-result", { content: [], structuredContent: data, isError: true });
  await frame.getByText(/No workflow is named|There is no workflow/).waitFor();
  await tell("ui/notifications/tool-result", { content: [], structuredContent: { run_id: "gone" } });
  await frame.getByRole("heading", { name: "There is no such run" }).waitFor();
});
