import { expect, test } from "vitest";
import { TestScreen } from "../../../test/rig/screen.ts";
import { StatusArea } from "./status-area.ts";

test("lines are replaced in place, however their number changes", () => {
  const screen = new TestScreen(40, 10);
  const area = new StatusArea(screen);
  screen.write("before\n");
  area.show(["one", "two longer", "three"]);
  expect(screen.text()).toEqual(["before", "one", "two longer", "three"]);
  area.show(["uno", "dos"]);
  expect(screen.text()).toEqual(["before", "uno", "dos"]);
  area.show(["1", "2", "3", "4"]);
  expect(screen.text()).toEqual(["before", "1", "2", "3", "4"]);
});

test("what is written above stays there", () => {
  const screen = new TestScreen(40, 10);
  const area = new StatusArea(screen);
  area.show(["status"]);
  area.above(() => screen.write("said\n"));
  expect(screen.text()).toEqual(["said", "status"]);
});

test("the cursor is hidden exactly while there are lines", () => {
  const screen = new TestScreen(40, 10);
  const area = new StatusArea(screen);
  expect(screen.cursorHidden).toBe(false);
  area.show(["status"]);
  expect(screen.cursorHidden).toBe(true);
  area.above(() => expect(screen.cursorHidden).toBe(false));
  expect(screen.cursorHidden).toBe(true);
  area.clear();
  expect(screen.cursorHidden).toBe(false);
  expect(screen.text()).toEqual([]);
});

test("nothing is written when nothing has changed", () => {
  const written: string[] = [];
  const area = new StatusArea({ columns: 40, write: (text) => void written.push(text) });
  area.clear();
  expect(written).toEqual([]);
  area.show(["same"]);
  area.show(["same"]);
  expect(written).toHaveLength(1);
});

test("lines that a narrower terminal has wrapped are taken back whole", () => {
  const written: string[] = [];
  const screen = { columns: 40, write: (text: string) => void written.push(text) };
  const area = new StatusArea(screen);
  area.show(["\u001b[31m123456789012345\u001b[39m", "short"]);
  screen.columns = 10;
  area.show(["new"]);
  expect(written[1]?.startsWith("\r\u001b[3A")).toBe(true);
});
