import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { check, type Problem } from "./check.ts";

const either = "${blocks.rates.stdout if blocks.rates.succeeded else blocks.cached.stdout}";

/** `convert` reads `rates`, or `cached` where that has failed. */
function flow(convert: string, value: string = either, cached = "condition: ${blocks.rates.failed}"): string {
  return `name: flow
description: A test
inputs:
  rates: { type: integer, description: Its exit code, default: 0 }
  cached: { type: integer, description: Its exit code, default: 0 }
blocks:
  - id: rates
    type: Shell
    inputs: { command: 'echo fresh; exit \${inputs.rates}' }
    allow_failure: true
  - id: cached
    type: Shell
    inputs: { command: 'echo stored; exit \${inputs.cached}' }
    ${cached}
    depends_on: [rates]
  - id: convert
    type: Shell
    inputs: { command: 'echo "got $RATES"', env: { RATES: "\${trim(${value.slice(2, -1)})}" } }
    ${convert}
outputs:
  got: \${trim(blocks.convert.stdout)}
`;
}

function adviceOn(text: string): readonly Problem[] {
  return check(text).problems.filter(({ level }) => level !== "error");
}

/** The entry of `depends_on` that each fix names, written there. */
function applyFixes(text: string): string {
  const entries = new Map<string, string>();
  for (const { fix = "" } of adviceOn(text)) {
    const entry = /\{ block: (\w+), required: false \}/.exec(fix);
    if (entry !== null) entries.set(entry[1] as string, entry[0]);
  }
  expect(entries.size).toBeGreaterThan(0);
  const [before, convert = ""] = text.split("  - id: convert\n");
  const declared = /\n {4}depends_on: \[(.*)\]/.exec(convert);
  for (const one of declared?.[1]?.split(", ") ?? []) if (!entries.has(one)) entries.set(one, one);
  const line = `\n    depends_on: [${[...entries.values()].join(", ")}]`;
  const fixed =
    declared === null ? convert.replace("\noutputs:", `${line}\noutputs:`) : convert.replace(declared[0], line);
  return `${before}  - id: convert\n${fixed}`;
}

test("a fallback that is read only if need be gets a warning with what to write", () => {
  expect(adviceOn(flow(""))).toMatchObject([
    { level: "hint", fix: "Say so with `depends_on: [{ block: rates, required: false }]`." },
    {
      code: "implicit-dependency",
      level: "warning",
      message: "block 'convert' waits for 'cached' because inputs.env reads it.",
      why: "Without `required: false` it is skipped whenever 'cached' is skipped or fails.",
      fix: "Say so with `depends_on: [{ block: cached, required: false }]`.",
    },
  ]);
});

test.each([
  ["nothing declared", ""],
  ["the first one", "depends_on: [rates]"],
  ["both", "depends_on: [rates, cached]"],
])(
  "who does what the fixes say gets a block that runs in all cases, with what there is: %s",
  async (_what, declared) => {
    const fixed = applyFixes(flow(declared));
    expect(adviceOn(fixed)).toEqual([]);
    const frond = createFrond({ "flow.yaml": fixed });
    const outcomeWith = async (rates: number, cached: number): Promise<unknown> => {
      const inputs = ["--input", `rates=${rates}`, "--input", `cached=${cached}`];
      const { code, reply } = await frond.json(["run", "flow.yaml", "--json", ...inputs]);
      return { code, ...(reply as { outputs: object }).outputs };
    };
    expect(await outcomeWith(0, 0)).toEqual({ code: 0, got: "got fresh" });
    expect(await outcomeWith(1, 0)).toEqual({ code: 0, got: "got stored" });
    expect(await outcomeWith(1, 1)).toMatchObject({ code: 1 });
  },
);

test("a block that requires both of what it reads one of is told of each", () => {
  expect(adviceOn(flow("depends_on: [rates, cached]"))).toMatchObject([
    {
      code: "requires-fallback",
      level: "warning",
      message: "block 'convert' is skipped whenever 'rates' fails, so that it never reads 'cached' instead.",
      fix: "Write `{ block: rates, required: false }`, or `{ block: rates, required: true }` if that is meant.",
      marked: "rates",
    },
    {
      code: "requires-fallback",
      level: "warning",
      message: "block 'convert' is skipped whenever 'cached' is, which it reads only if need be.",
      marked: "cached",
    },
  ]);
});

test.each([
  ["required: true is written", "depends_on: [{ block: rates, required: true }, { block: cached, required: true }]"],
  [
    "a condition decides",
    "condition: ${blocks.rates.succeeded or blocks.cached.succeeded}\n    depends_on: [rates, cached]",
  ],
  ["required: false is written", "depends_on: [{ block: rates, required: false }, { block: cached, required: false }]"],
])("nothing is said where %s", (_what, declared) => {
  expect(adviceOn(flow(declared))).toEqual([]);
});

test.each([
  ["in a branch", "${'x' if inputs.rates == 0 else blocks.cached.stdout}"],
  ["behind or", "${inputs.rates == 0 or blocks.cached.stdout == ''}"],
  ["behind and", "${inputs.rates == 1 and blocks.cached.stdout == ''}"],
  ["in default()", "${default(blocks.cached.stdout, '')}"],
])(
  "a reference %s may go unread, so a block that can be skipped is a warning, and one that can't a hint",
  (_where, value) => {
    const fix = "Say so with `depends_on: [{ block: cached, required: false }]`.";
    expect(adviceOn(flow("", value.replace("${", "${'' + string(").replace(/\}$/, ")}")))).toMatchObject([
      { level: "warning", fix },
    ]);
    expect(adviceOn(flow("", value.replace("${", "${'' + string(").replace(/\}$/, ")}"), ""))).toMatchObject([
      { level: "hint", fix },
    ]);
  },
);

test("a reader of a block with a condition is told both ways, as either may be meant", () => {
  expect(adviceOn(flow("", "${blocks.cached.stdout}"))).toMatchObject([
    {
      level: "hint",
      fix: "Say so with `depends_on: [cached]` if it is to be skipped with 'cached', else with `depends_on: [{ block: cached, required: false }]`.",
    },
  ]);
});

test("a reader that asks how a block went is told to go on without it", () => {
  expect(adviceOn(flow("", "${blocks.rates.status}"))).toMatchObject([
    { level: "hint", fix: "Say so with `depends_on: [{ block: rates, required: false }]`." },
  ]);
});
