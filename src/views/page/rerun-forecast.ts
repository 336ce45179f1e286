import { describeInputs } from "../../library/describe-workflow.ts";
import type { ForeseenRerun } from "../../runs/rerun-run.ts";
import { defined } from "../../util/defined.ts";
import { describeDryRun } from "../dry-run.ts";
import type { PageInput, RerunForecast } from "./act-records.ts";
import { fieldOfGiven } from "./workflow-fields.ts";

/** More would tell nobody anything; the counts are of all. */
const mostBlocks = 300;

/** What a rerun would reuse and run, and with which inputs. */
export function describeRerun({ dryRun, changed, dropped, left }: ForeseenRerun): RerunForecast {
  const { workflow, blocks, counts, would_fail } = describeDryRun(dryRun);
  const inputs = describeGiven(dryRun);
  return {
    workflow,
    blocks: blocks.slice(0, mostBlocks).map(({ block, verdict, why, not_reused }) => ({
      address: block,
      verdict,
      ...defined({ why: not_reused ?? why }),
    })),
    counts,
    changed,
    dropped,
    inputs,
    fields: inputs.filter(({ is_secret }) => is_secret !== true).map(fieldOfGiven),
    ...defined({ would_fail, left }),
  };
}

function describeGiven({ state: { started, plans } }: ForeseenRerun["dryRun"]): readonly PageInput[] {
  const plan = plans(started.key ?? started.workflow);
  if (!plan.ok) return [];
  return Object.entries(describeInputs(plan.value.definition)).map(([name, input]) => {
    const { type, description, required, enum: choices, secret } = input;
    const value = started.defaulted?.includes(name) || secret ? undefined : started.inputs[name];
    return {
      name,
      type,
      required,
      ...defined({ description, enum: choices, value }),
      ...(secret ? { is_secret: true as const } : {}),
    };
  });
}
