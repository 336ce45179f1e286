import { expect, test } from "vitest";
import type { SeenElement } from "../../block/browsers.ts";
import { judgeCondition, readCondition, type WrittenCondition } from "./page-condition.ts";

const seen = (more: Partial<SeenElement> = {}): SeenElement => ({
  ...{ visible: true, enabled: true, checked: false, text: "Thanks, Ada", value: "7" },
  ...more,
});

function judge(condition: WrittenCondition, ...elements: readonly SeenElement[]): string | undefined {
  return judgeCondition(readCondition(condition), { url: "https://x.test/done?id=7", title: "Shop", elements });
}

test("a condition holds when all that it names is so of one of the elements", () => {
  expect(judge("visible", seen({ visible: false }), seen())).toBeUndefined();
  expect(judge("hidden")).toBeUndefined();
  expect(judge("hidden", seen({ visible: false }))).toBeUndefined();
  expect(judge("disabled", seen({ enabled: false }))).toBeUndefined();
  expect(judge("unchecked", seen())).toBeUndefined();
  expect(
    judge({ text: "Ada", text_equals: "Thanks, Ada", text_matches: "^T.*a$", value: "7" }, seen()),
  ).toBeUndefined();
  expect(judge({ url: "/done", url_matches: "id=\\d+$", title: "Sho", count: 0 })).toBeUndefined();
});

test("what is not so is told, with what there is instead", () => {
  expect(judge("visible")).toBe("no element matches");
  expect(judge("visible", seen({ visible: false }))).toBe("it is not visible");
  expect(judge("hidden", seen())).toBe("it is visible");
  expect(judge("checked", seen())).toBe("it is not checked");
  expect(judge({ count: 3 }, seen())).toBe("there are 1 elements, not 3");
  expect(judge({ text: "Bob", title: "Home" }, seen({ text: "a\n b" }))).toBe(
    "the text is 'a b', not one with 'Bob'; the title is 'Shop', not one with 'Home'",
  );
  expect(judge({ url_matches: "^http:" })).toContain("not one that matches '^http:'");
});
