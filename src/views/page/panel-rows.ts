import type { BlockDetail, PanelRow } from "./detail-records.ts";
import type { BlockCard, EdgeDecision } from "./page-records.ts";
import { joinWords, nameBlock } from "./say-words.ts";

/** Why a block ran and what waits for it, as rows of the panel. */
export function factRows(
  { standing, element, condition }: BlockCard,
  { ran_because, holds_up }: Pick<BlockDetail, "ran_because" | "holds_up">,
): readonly PanelRow[] {
  return [
    ...(ran_because.length === 0 ? [] : [{ name: becauseWords(standing), text: sayBecause(ran_because) }]),
    ...(holds_up.length === 0 ? [] : [{ name: "Holds up", text: nameSome(holds_up) }]),
    ...(element === undefined ? [] : [{ name: "Element", text: element, is_code: true as const }]),
    ...(condition === undefined ? [] : [{ name: "Condition", text: condition, is_code: true as const }]),
  ];
}

/** When it began, and what it cost. */
export function footRows({ started_at, spend, workflow }: BlockCard): readonly PanelRow[] {
  const most = spend?.most === undefined ? "" : ` of ${spend.most}`;
  return [
    ...(started_at === null ? [] : [{ name: "Started", text: `<${started_at}>` }]),
    ...(spend === undefined ? [] : [{ name: "Spend", text: spend.text + most }]),
    ...(workflow === undefined ? [] : [{ name: "Workflow", text: workflow, is_code: true as const }]),
  ];
}

function becauseWords(standing: BlockCard["standing"]): string {
  if (standing === "to_come") return "Waits for";
  return standing === "skipped" ? "Depends on" : "Ran because";
}

const decisionWords: Readonly<Record<EdgeDecision, string>> = {
  went: "succeeded",
  failed: "failed",
  open: "still open",
  not_taken: "did not lead here",
};

/** Blocks that decided the same stand together: "build and changelog succeeded, lint failed". */
function sayBecause(because: BlockDetail["ran_because"]): string {
  return [...new Set(because.map(({ decided }) => decided))]
    .map((decision) => {
      const addresses = because.filter(({ decided }) => decided === decision).map(({ address }) => address);
      return `${nameSome(addresses)} ${decisionWords[decision]}`;
    })
    .join(", ");
}

const mostNamed = 5;

/** The first few of some blocks, and how many more there are. */
export function nameSome(addresses: readonly string[], most: number = mostNamed): string {
  const named = addresses.slice(0, most).map(nameBlock);
  const left = addresses.length - named.length;
  return left > 0 ? `${named.join(", ")} and ${left} more` : joinWords(named);
}
