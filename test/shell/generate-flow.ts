import { type Carrier, carriers, Fresh, type Held } from "./carriers.ts";
import type { Random } from "./random.ts";
import { sinks } from "./sinks.ts";

/** A Shell block with values in it. */
export interface GeneratedBlock {
  readonly command: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const reference = "${inputs.v}";

interface Source extends Omit<GeneratedBlock, "command"> {
  readonly bashOnly?: boolean;
  readonly start: string;
  readonly held: Held;
}

const sources: readonly Source[] = [
  { start: "", held: { word: reference } },
  { start: "", held: { word: reference } },
  { start: "", held: { word: `x${reference}` } },
  { start: `v0=${reference}\n`, held: { word: "$v0", name: "v0" } },
  { start: `v0='${reference}'\n`, held: { word: "$v0", name: "v0" } },
  { start: "", env: { E: reference }, held: { word: "$E", name: "E" } },
  { start: "", env: { E: `${reference}` }, held: { word: "${E:-none}", name: "E" } },
  { start: "v0=$(printenv E)\n", env: { E: reference }, held: { word: "$v0", name: "v0" } },
  { start: "read -r v0\n", stdin: `${reference}\n`, held: { word: "$v0", name: "v0" } },
  { start: "v0=$(cat)\n", stdin: reference, held: { word: "$v0", name: "v0" } },
  { start: "v0=$(head -n1)\n", stdin: `${reference}\nx\n`, held: { word: "$v0", name: "v0" } },
  { start: "in0() { read -r v0; }; in0\n", stdin: `${reference}\n`, held: { word: "$v0", name: "v0" } },
  { bashOnly: true, start: "mapfile -t v0\n", stdin: reference, held: { word: "${v0[0]}", name: "v0" } },
  { bashOnly: true, start: "v0=$(</dev/stdin)\n", stdin: reference, held: { word: "$v0", name: "v0" } },
];

/** A value from where it comes in, over up to four carriers, to a use of it. */
export function generateFlow(random: Random, shell: string): GeneratedBlock {
  const isKnown = ({ bashOnly }: { bashOnly?: boolean }): boolean => shell === "bash" || bashOnly !== true;
  const { start, held, stdin, env } = random.pick(sources.filter(isKnown));
  const chosen = Array.from({ length: random.below(5) }, () => random.pick(carriers.filter(isKnown)));
  const sink = random.pick(sinks.filter(isKnown));
  const fresh = new Fresh();
  const end = (last: Held): string => {
    if (last.name !== undefined) return sink.use({ word: last.word, name: last.name });
    const name = fresh.name("z");
    const use = sink.use({ word: last.word, name });
    return use.includes(name) ? `${name}="${last.word}"\n${use}` : use;
  };
  const command = `${start}${carry(random, fresh, chosen, held, end)}`;
  return { command, ...(stdin === undefined ? {} : { stdin }), ...(env === undefined ? {} : { env }) };
}

function carry(
  random: Random,
  fresh: Fresh,
  [first, ...others]: readonly Carrier[],
  held: Held,
  end: (held: Held) => string,
): string {
  if (first === undefined) return end(held);
  return first.carry({ random, fresh, held, rest: (next) => carry(random, fresh, others, next, end) });
}

/** A value that some way of evaluating it runs. */
export function generateFlowValue(random: Random, command: string): string {
  return random.pick([
    `a[$(${command})]`,
    `$(${command})`,
    `\`${command}\``,
    `($(${command}))`,
    `([0]=$(${command}))`,
    `;${command};`,
    command,
    `x -eq a[$(${command})]`,
    `a[$(${command})]=1`,
    `0];a[$(${command})`,
    `"$(${command})"`,
    `'$(${command})'`,
    `" ; ${command} ; "`,
    `x\n${command}\n`,
    `-v a[$(${command})]`,
  ]);
}
