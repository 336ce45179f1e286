import fc from "fast-check";
import { expect, test } from "vitest";
import { operationFailed } from "../../src/engine/execution.ts";
import type { Value } from "../../src/expression/value.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { anyValue, toMap } from "./arbitrary-events.ts";
import type { JournalKind } from "./contract.ts";
import { blockFinished, blockPaused, creation, runFinished } from "./sample-events.ts";

/** JSON text shows own keys only, in their order: equal texts are equal values. */
const textOf = (value: unknown): string => JSON.stringify(value);

function mapsOf(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(mapsOf);
  return Array.isArray(value) ? inside : [value, ...inside];
}

async function withRun(journal: Promise<Journal>): Promise<Journal> {
  await (await journal).create(creation("r"));
  return journal;
}

export function describeValues({ createStore }: JournalKind): void {
  test("what is read is what was written: any value, of any size", async () => {
    const journal = await withRun(createStore().open());
    let written = 1;
    await fc.assert(
      fc.asyncProperty(anyValue, fc.nat({ max: 3 }), async (value, copies) => {
        const outputs = toMap(Array.from({ length: copies + 1 }, (_, index) => [`out${index}`, value]));
        const event = blockFinished("a", { outputs: toMap([["results", [value, outputs]]]) });
        await journal.append("r", 1, [event]);
        const [read] = await journal.read("r", written++);
        expect(textOf(read)).toBe(textOf(event));
        for (const map of mapsOf(read)) expect(Object.getPrototypeOf(map)).toBe(null);
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  test("a value that looks like the journal's own references is only a value", async () => {
    const journal = await withRun(createStore().open());
    const large = "x".repeat(100_000);
    const parts: Value = [[["outputs", "large"], "hash"]];
    const outputs = toMap([
      [
        "__proto__",
        toMap([
          ["polluted", true],
          ["__proto__", large],
        ]),
      ],
      ["parts", parts],
      ["large", large],
      ["list", [large, null, [large], parts]],
    ]);
    await journal.append("r", 1, [blockFinished("a", { outputs })]);
    const [read] = await journal.read("r", 1);
    expect(textOf(read)).toBe(textOf(blockFinished("a", { outputs })));
    expect(Object.keys((read as { outputs: object }).outputs)).toEqual(["__proto__", "parts", "large", "list"]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("text survives to the last character, 10 MB of it too", async () => {
    const journal = await withRun(createStore().open());
    const text = "\0\ud800 é 💧\udfff\u2028\n".repeat(1_000_000);
    const question = { text, audience: "human", default: text } as const;
    await journal.append("r", 1, [blockPaused("a", { question })]);
    const [paused] = await journal.read("r", 1);
    expect(paused).toEqual(blockPaused("a", { question }));
    expect((await journal.find("r"))?.questions[0]?.question.default === text).toBe(true);
    await journal.append("r", 1, [runFinished({}, operationFailed(text.slice(0, 100_000)))]);
    expect((await journal.find("r"))?.error === text.slice(0, 100_000)).toBe(true);
  });

  test("what is undefined is absent", async () => {
    const journal = await withRun(createStore().open());
    const small = { ...blockFinished("a"), remarks: undefined } as never;
    const large = { ...blockFinished("b", { outputs: { out: "x".repeat(100_000) } }), remarks: undefined } as never;
    await journal.append("r", 1, [small, large]);
    for (const event of await journal.read("r", 1)) expect(Object.keys(event)).not.toContain("remarks");
  });

  test("an answer may be as large and as strange as an output", async () => {
    const journal = await withRun(createStore().open());
    const answer = toMap([["__proto__", "\0".repeat(100_000)]]);
    await journal.post("r", 1, { kind: "answer", questionId: "p\0\ud800", answer, by: "model" });
    const [posted] = await journal.requests("r");
    expect(textOf(posted?.request)).toBe(textOf({ kind: "answer", questionId: "p\0\ud800", answer, by: "model" }));
  });
}
