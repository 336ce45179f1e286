import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Place, parsePlace, pathTo, placeOfBlock } from "./place.ts";

const parse = (path: string): Place => parsePlace(new URL(path, "http://localhost"));

const step = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/[/\\]|^\.{1,2}$|^%2e/i.test(text));
const address = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join("/"));
const query = fc.dictionary(step, fc.string({ unit: "grapheme" }), { maxKeys: 3, noNullPrototype: true });
const places: fc.Arbitrary<Place> = fc.oneof(
  query.map((query): Place => ({ view: "runs", query })),
  query.map((query): Place => ({ view: "workflows", query })),
  fc.record({ view: fc.constant("workflow" as const), name: address, query }),
  fc.record({ view: fc.constant("undo" as const), runId: step, query }),
  fc.constant<Place>({ view: "scratch" }),
  fc.record({ view: fc.constant("run" as const), runId: step, level: fc.oneof(address, fc.constant("")) }),
  fc
    .record({
      runId: step,
      block: address,
      attempt: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
      part: fc.option(step, { nil: undefined }),
    })
    .map(({ runId, block, attempt, part }): Place => {
      const place = placeOfBlock(runId, block);
      return { ...place, ...(attempt === undefined ? {} : { attempt }), ...(part === undefined ? {} : { part }) };
    }),
);

describe("places", () => {
  it("are the same after they have been an address", () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(parse(pathTo(place))).toEqual(place);
      }),
    );
  });

  it("are written as people would", () => {
    const place = {
      view: "run",
      runId: "run_1",
      level: "deploy@2",
      block: "deploy@2/build",
      attempt: 2,
      part: "log",
    } as const;
    expect(pathTo(place)).toBe("/runs/run_1/deploy@2/build?attempt=2#log");
    expect(pathTo({ view: "run", runId: "run_1", level: "deploy" })).toBe("/runs/run_1/deploy/");
  });

  it("are the list of runs where an address means nothing", () => {
    expect(parse("/nothing/here").view).toBe("runs");
    expect(parse("/runs/%E0%A4%A").view).toBe("run");
  });
});
