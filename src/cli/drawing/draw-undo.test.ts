import { expect, test } from "vitest";
import type { UndoForecast, UndoneFile } from "../../views/undo-forecast.ts";
import type { Terminal } from "../terminal.ts";
import { drawUndo, summariseUndo } from "./draw-undo.ts";

const terminal = { isTerminal: true, columns: 60, colour: false } as Terminal;

function file(path: string, undo: UndoneFile["undo"], found: UndoneFile["found"] = "restorable"): UndoneFile {
  return { path, undo, found, by: ["build"] };
}

function forecastOf(files: readonly UndoneFile[], more: Partial<UndoForecast> = {}): UndoForecast {
  return { status: "plan", run_id: "run_1", files, ...more };
}

test("many files in one directory are one line, and of long lists the rest is counted", () => {
  const made = Array.from({ length: 212 }, (_, index) => file(`dist/${index}.js`, "removed"));
  expect(drawUndo(forecastOf([...made, file("log", "removed")]), "keep", terminal)).toEqual([
    "Removed again, as the run made it",
    "  dist/ (212 files)  build",
    "  log                build",
  ]);
  const apart = Array.from({ length: 10 }, (_, index) => file(`file-${index}`, "restored"));
  expect(drawUndo(forecastOf(apart), "keep", terminal).slice(-2)).toEqual(["  file-7  build", "  and 2 more"]);
});

test("what becomes of what was changed since is told by what was asked for", () => {
  const changed = forecastOf([file("notes", "restored", "conflict")]);
  expect(drawUndo(changed, "force", terminal)[0]).toBe("Changed since the run: replaced all the same");
  expect(summariseUndo(changed, "force")).toBe("1 file changed since is replaced.");
  expect(summariseUndo(changed, "ask")).toBe("1 file changed since is asked about.");
});

test("blocks of which the same is to be said stand together, and the reason is read to its end", () => {
  const why = "what a Shell block does is not recorded, and it has no `undo:`";
  const irreversible = ["lint", "test"].map((block) => ({ block, why }));
  const lines = drawUndo(forecastOf([], { irreversible }), "keep", terminal);
  expect(lines[0]).toBe("Can't be undone");
  expect(lines.slice(1).join(" ").replaceAll(/\s+/g, " ").trim()).toBe(`lint, test ${why}`);
  expect(lines.every((line) => line.length < 60)).toBe(true);
});

test("a directory that comes and goes with what is in it is not told, nor counted", () => {
  const files = [{ ...file("dist", "removed"), kind: "directory" } as const, file("dist/a", "removed")];
  expect(drawUndo(forecastOf(files), "keep", terminal)).toHaveLength(2);
  expect(summariseUndo(forecastOf(files), "keep")).toBe("1 new file is removed.");
});
