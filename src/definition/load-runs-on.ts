import { readText } from "./forms.ts";
import type { Key } from "./key.ts";
import { isNothing } from "./map-reader.ts";

const labelPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;
/** Each choice of a worker's labels is a queue that it looks into, so that a few more would be many more; no run can ask for more. */
export const mostLabels = 5;
const label = { type: "string", pattern: labelPattern.source };

/** `runs_on: gpu`, or a list of labels; sorted, each once. */
export const runsOn: Key<readonly string[] | undefined> = {
  name: "runs_on",
  docs: "Labels that a worker must have to take its runs: all of them",
  examples: ["gpu", "[gpu, linux]"],
  foreign: ["labels", "runner", "runners", "node_selector"],
  schema: { anyOf: [label, { type: "array", minItems: 1, maxItems: mostLabels, items: label }] },
  read(at) {
    const { node, report } = at;
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "map") return at.wrongType("a label or a list of labels", "Write `runs_on: [gpu, linux]`.");
    const items = node.kind === "list" ? node.items : [node];
    if (items.length === 0)
      return at.wrongType("at least one label", "Leave it out for runs that any worker may take.");
    const labels = items.flatMap((item) => {
      const text = readText(item, "a label", report);
      if (text === undefined || labelPattern.test(text)) return text ?? [];
      report({
        code: "bad-label",
        level: "error",
        message: `'${text}' can't be a label of a worker.`,
        why: "A label is letters, digits, '.', '_' and '-', 60 at most, and begins with a letter or digit.",
        fix: text.includes("${")
          ? "Write it out: which workers take a run is known before it has inputs."
          : "Name a label that workers are started with.",
        range: item.range,
      });
      return [];
    });
    if (items.length > mostLabels) return at.wrongType(`at most ${mostLabels} labels`);
    return labels.length === 0 ? undefined : [...new Set(labels)].sort();
  },
};
