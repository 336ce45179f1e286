import { ok } from "../../util/result.ts";
import { writeAuthoringGuide } from "../authoring.ts";
import type { Prompt } from "../prompt.ts";

export const authorWorkflow: Prompt = {
  name: "author_workflow",
  title: "Write a workflow",
  description:
    "How to write a workflow for a goal: the language on a page, the block types, examples, and the calls that check and run it.",
  arguments: [{ name: "goal", description: "What the workflow is to do" }],
  write: ({ goal = "" }, context) =>
    ok(`Write a Frond workflow for this goal:\n\n${goal.trim()}\n\n${writeAuthoringGuide(context)}`),
};
