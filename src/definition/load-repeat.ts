import { condition, countOrExpression, delayOrExpression } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { MapReader } from "./map-reader.ts";
import { mostPasses } from "./retry-values.ts";
import type { ValueTemplate } from "./value-template.ts";
import type { Repeat } from "./workflow-definition.ts";
import type { YamlEntry } from "./yaml-node.ts";

interface WrittenRepeat extends Omit<Repeat, "max"> {
  readonly max?: ValueTemplate;
}

export const repeatKeys: Keys<WrittenRepeat> = {
  max: {
    name: "max",
    docs: "How often it runs at most, 1000 times or less",
    examples: ["30", "${inputs.passes}"],
    required: true,
    foreign: ["times", "count", "limit", "attempts", "max_attempts", "max_iterations", "retries"],
    ...countOrExpression(mostPasses),
  },
  until: {
    name: "until",
    docs: "Ends it with success when true; `this` is the record of the pass that has just ended",
    examples: ["${this.json.state} == 'done'", "${this.succeeded}"],
    foreign: ["condition", "stop_when", "break_if"],
    ...condition,
  },
  delay: {
    name: "delay",
    docs: "Between two passes",
    examples: ["10s", "0", "${inputs.delay}"],
    foreign: ["interval", "every", "wait", "sleep", "delay_seconds"],
    ...delayOrExpression,
  },
};

export const repeat: Key<Repeat | undefined> = {
  name: "repeat",
  docs: "Runs it again and again, one pass after the other, until a condition holds",
  examples: ['{ max: 30, until: "${this.succeeded}", delay: 10s }', "{ max: 3 }"],
  foreign: ["do_until", "repeat_until", "poll", "while"],
  schema: (catalog) => mapSchema(listKeys(repeatKeys), catalog),
  read(at) {
    const { node } = at;
    if (node === undefined) return undefined;
    if (at.map.entry("for_each") !== undefined) {
      at.report({
        code: "repeat-with-for-each",
        level: "error",
        message: `${at.what} can't have both for_each and repeat.`,
        fix: "Put the block with `repeat` into a workflow of its own, and call that with for_each.",
        range: (at.entry as YamlEntry).keyRange,
      });
    }
    if (node.kind !== "map") {
      const fix =
        node.kind === "scalar" && typeof node.value === "number"
          ? `Write \`repeat: { max: ${node.written} }\`.`
          : undefined;
      return at.wrongType("a map with max", fix);
    }
    const { max, ...rest } = readMap(repeatKeys, new MapReader(node, `repeat of ${at.what}`, at.report), undefined);
    return max === undefined ? undefined : { max, ...rest };
  },
};
