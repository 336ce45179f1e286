import { describeInputs } from "../../library/describe-workflow.ts";
import type { ForeseenRerun } from "../../runs/rerun-run.ts";
import { defined } from "../../util/defined.ts";
import { describeDryRun } from "../dry-run.ts";
import type { PageInput, RerunForecast, RerunVerdict } from "./act-records.ts";
import { fieldOfGiven } from "./workflow-fields.ts";

/** More would tell nobody anything; the counts are of all. */
const mostBlocks = 300;

/** What a rerun would reuse and run, and with which inputs. */
export function describeRerun({ dryRun, changed, dropped, left }: ForeseenRerun): RerunForecast {
  const { workflow, blocks, counts, would_fail } = describeDryRun(dryRun);
  const inputs = describeGiven(dryRun);
  const foreseen = blocks.slice(0, mostBlocks).map(({ block, verdict, why, not_reused }) => ({
    address: block,
    verdict,
    ...defined({ why: not_reused ?? why }),
  }));
  return {
    workflow,
    blocks: foreseen,
    counts,
    changed,
    dropped,
    inputs,
    fields: inputs.filter(({ is_secret }) => is_secret !== true).map(fieldOfGiven),
    runs: (counts["would run"] ?? 0) + (counts["may run"] ?? 0),
    scopes,
    about: "It becomes a new run, started by web page; this one stays as it is.",
    notes: [
      ...(changed.length === 0 ? [] : [`Changed since: ${changed.join(", ")}.`]),
      ...(dropped.length === 0 ? [] : [`No longer an input: ${dropped.join(", ")}.`]),
      ...(left === undefined ? [] : [`The run before is still ${left}, and stays so.`]),
    ],
    groups: groups.flatMap(([verdict, title]) => {
      const [count, own] = [counts[verdict] ?? 0, foreseen.filter((block) => block.verdict === verdict)];
      const is_open = verdict !== "would skip" && verdict !== "would be reused";
      return count === 0 ? [] : [{ title, count, blocks: own, is_open }];
    }),
    ...defined({ would_fail, left }),
  };
}

const scopes: RerunForecast["scopes"] = [
  ["changed", "What failed, changed or has not run yet; the rest is reused"],
  ["from", "From a block on, with what depends on it"],
  ["all", "Everything; nothing is reused"],
];

const groups: readonly (readonly [RerunVerdict, string])[] = [
  ["would fail", "Would fail"],
  ["would run", "Run"],
  ["may run", "May run: that depends on what comes before"],
  ["would skip", "Skipped"],
  ["would be reused", "Reused"],
];

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
