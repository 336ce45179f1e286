import { describe, expect, it } from "vitest";
import { createKeyTable } from "./key-table.ts";

function press(key: string, more: Partial<KeyboardEvent> = {}): KeyboardEvent {
  return {
    key,
    target: null,
    defaultPrevented: false,
    metaKey: false,
    ctrlKey: false,
    altKey: false,
    ...more,
  } as KeyboardEvent;
}

describe("keys", () => {
  it("are heard by who came last, and by those before where that does not know them", () => {
    const table = createKeyTable(() => false);
    const heard: string[] = [];
    table.add(() => ({ f: () => heard.push("outer f"), x: () => heard.push("outer x") }));
    const stop = table.add(() => ({ f: () => heard.push("inner f") }));
    table.dispatch(press("f"));
    table.dispatch(press("x"));
    stop();
    table.dispatch(press("f"));
    expect(heard).toEqual(["inner f", "outer x", "outer f"]);
  });

  it("can be two, one after the other, within a second", () => {
    const table = createKeyTable(() => false);
    const heard: string[] = [];
    table.add(() => ({ "g r": () => heard.push("g r") }));
    table.dispatch(press("g"), 1000);
    table.dispatch(press("r"), 1500);
    table.dispatch(press("r"), 1600);
    table.dispatch(press("g"), 2000);
    table.dispatch(press("r"), 3500);
    expect(heard).toEqual(["g r"]);
  });

  it("mean nothing while somebody types, but Escape does", () => {
    const table = createKeyTable(() => true);
    const heard: string[] = [];
    table.add(() => ({ f: () => heard.push("f"), Escape: () => heard.push("Escape") }));
    table.dispatch(press("f"));
    table.dispatch(press("Escape"));
    expect(heard).toEqual(["Escape"]);
  });

  it("are the browser's with Ctrl, Alt or the command key", () => {
    const table = createKeyTable(() => false);
    const heard: string[] = [];
    table.add(() => ({ f: () => heard.push("f") }));
    for (const held of ["ctrlKey", "altKey", "metaKey"]) table.dispatch(press("f", { [held]: true }));
    expect(heard).toEqual([]);
  });
});
