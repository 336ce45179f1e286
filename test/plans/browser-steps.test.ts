import { afterAll, expect, test } from "vitest";
import { openPlan } from "../../src/plans/open-plan.ts";
import { atOnce } from "../../src/util/time-slice.ts";
import { browserVariables } from "../rig/browser.ts";
import { createTestEngine } from "../rig/engine.ts";
import { openShop } from "../rig/shop.ts";

const shop = await openShop();
afterAll(() => shop.close());

test("a step that acts in a browser does so, and one of other kinds beside it is not skipped", async () => {
  const engine = createTestEngine({ environment: browserVariables() });
  const plan = [
    { step_id: "open", action_type: "browser_act", action: "navigate", url: shop.url, allow_private: true },
    { step_id: "read", action_type: "browser_act", action: "extract", selector: "body" },
    { step_id: "note", action_type: "create_file", path: "note.txt", content: "seen\n" },
  ];
  const opened = atOnce(openPlan({ plan }, engine.engine.workflows));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("\n"));
  const { response, state } = await engine.run(opened.value.text);
  expect(response).toMatchObject({ status: "success", steps: { total: 3, completed: 3 } });
  expect(state.nodes.get("open")?.record.outputs.current_url).toContain(shop.url);
  expect(state.nodes.get("read")?.record.outputs.extracted).toMatch(/\S/);
});
