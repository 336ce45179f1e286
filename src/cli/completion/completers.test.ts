import type { Command } from "commander";
import { expect, test } from "vitest";
import type { CliContext } from "../context.ts";
import { createWholeProgram } from "../program.ts";
import { completerOf } from "./completers.ts";

/** Commands look at no more than this before they are run. */
const context = { version: "1", terminal: {}, installation: { platform: "linux" } } as unknown as CliContext;

/** Everything that takes a value, as its command and its name. */
function placesOf(command: Command): readonly (readonly [place: string, completer: string | undefined])[] {
  const options = command.options.filter(({ required, optional }) => required || optional);
  const own = [...command.registeredArguments, ...options].map(
    (of) => [`${command.name()} ${"long" in of ? of.long : of.name()}`, completerOf(command, of)] as const,
  );
  return [...own, ...command.commands.flatMap(placesOf)];
}

/** Nobody types it. */
const hidden = /^complete /;
const places = placesOf(createWholeProgram(context)).filter(([place]) => !hidden.test(place));

test.each(places)("what can stand at %s is told by completers.ts: %s", (_, completer) => {
  expect(completer).toBeDefined();
});

test("a value with choices needs no entry", () => {
  expect(places).toContainEqual(["schedule --as", "choices"]);
  expect(places).toContainEqual(["logs run", "runs"]);
  expect(places).toContainEqual(["cancel run", "open-runs"]);
});
