import { InvalidArgumentError } from "commander";
import { mostLabels } from "../../runs/choose-queue.ts";
import { parseList } from "./parse-list.ts";

export function parseLabels(text: string): readonly string[] {
  const labels = [...new Set(parseList()(text))];
  const wrong = labels.find((label) => !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/.test(label));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`'${wrong}' is no label: letters, digits, '-', '_' and '.' are.`);
  if (labels.length > mostLabels) throw new InvalidArgumentError(`A worker can have ${mostLabels} labels at most.`);
  return labels;
}
