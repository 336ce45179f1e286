import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openPlan } from "../../src/plans/open-plan.ts";
import { atOnce } from "../../src/util/time-slice.ts";
import { createTestEngine } from "../rig/engine.ts";

/** Plans as models really write them: each runs, or is refused with all that its writer has to fix. */

const directory = join(import.meta.dirname, "fixtures");
const files = readdirSync(directory);
const isRefused = (file: string): boolean => file.startsWith("refused-");

test.each(files.filter((file) => !isRefused(file)))("%s runs", async (file) => {
  const engine = createTestEngine();
  const app = join(engine.workspace, "app.js");
  writeFileSync(app, "start();\n// routes\n");
  const opened = atOnce(openPlan({ plan: readFileSync(join(directory, file), "utf8") }, engine.engine.workflows));
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("\n"));
  const { response } = await engine.run(opened.value.text);
  expect(response).toMatchObject({ status: "success" });
  expect(response.steps?.completed).toBe(opened.value.steps.length);
  expect(readFileSync(app, "utf8")).toContain("health");
  expect(readFileSync(join(engine.workspace, "src/health.js"), "utf8")).toMatch(/ok/);
});

describe("refused, with everything to fix", () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    "refused-wrong-types.json": [
      "Step 1 has a 'content' that must be one text, not a list: join its lines.",
      "Step 2 has a 'timeout_seconds' that must be a number of seconds above 0 and 30 days at most, or a text like 30s or 5m, not the text 'a while'.",
      "Step 2 has a 'depends_on' that must be a text, not a map with 'after'.",
      "Step 2 has a 'command' that must be a text, not a map with 'run'.",
      "Step 3 has a 'max_retries' that must be a whole number from 0 to 99, not the text 'twice'.",
      "Step 3 has a 'rollback_on_fail' that must be true or false, not the text 'perhaps'.",
    ],
    "refused-duplicate-ids.json": [
      "Step 2 (build) has the step_id of step 1. Give each step an id of its own.",
      "Step 3 (deploy) depends on 'biuld', which is no step of the plan. Did you mean 'build'?",
      "Step 3 (deploy) depends on itself. Remove it from its depends_on.",
    ],
    "refused-other-words.md": [
      "Step 1 has the unknown action 'install_dependencies'. Known: create_file, modify_file, delete_file, read_file, run_command, get_user_input, browser_act, or any block type, such as HttpCall.",
      "Step 2 has the field 'retires', which run_command does not take. Did you mean 'max_retries'?",
      "Step 3 has no 'content', which create_file needs.",
      "Step 4 has no 'path', which delete_file needs.",
    ],
    "refused-paths.json": [
      "Step 1 has a 'path' that leads out of the workspace, where a plan can't work.",
      "Step 2 has a 'path' that is the workspace itself.",
      "Step 3 has a 'path' that holds a character that no path can hold.",
    ],
    "refused-prose.md": [expect.stringMatching(/^There is no plan in the text\. Give \{"steps"/)],
    "refused-broken-json.md": [expect.stringMatching(/^The plan can't be read: line 5 is not valid JSON\./)],
  };

  test.each(files.filter(isRefused))("%s", (file) => {
    const { engine } = createTestEngine();
    const opened = atOnce(openPlan({ plan: readFileSync(join(directory, file), "utf8") }, engine.workflows));
    const said = opened.ok ? [] : opened.error.map(({ message, fix }) => [message, fix].filter(Boolean).join(" "));
    expect(said).toEqual(expected[file]);
  });
});
