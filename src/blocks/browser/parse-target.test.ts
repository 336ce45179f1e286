import { expect, test } from "vitest";
import { parseTarget } from "./parse-target.ts";

const part = (text: string): object => ({ text, exact: false });
const whole = (text: string): object => ({ text, exact: true });

test.each([
  ["role=button", { by: "role", role: "button" }],
  ["role=button[name=Send it]", { by: "role", role: "button", name: part("Send it") }],
  ['role=link[name="a [b] ]"]', { by: "role", role: "link", name: whole("a [b] ]") }],
  ["text=Sign in", { by: "text", text: part("Sign in") }],
  ["text='Sign in'", { by: "text", text: whole("Sign in") }],
  ["label = Your name ", { by: "label", text: part("Your name") }],
  ["placeholder=a=b", { by: "placeholder", text: part("a=b") }],
  ["css=a[href='x']", { by: "css", selector: "a[href='x']" }],
  ["#main > .row:nth-child(2)", { by: "css", selector: "#main > .row:nth-child(2)" }],
  ["input[name=q]", { by: "css", selector: "input[name=q]" }],
  ["[title=']']", { by: "css", selector: "[title=']']" }],
])("%s", (written, target) => {
  expect(parseTarget(written)).toEqual({ ok: true, value: target });
});

test.each([
  [" ", "the target is empty."],
  ["//div", "a target can't be an XPath."],
  ["xpath=//div", "a target can't be an XPath."],
  ["id=main", "a target can't begin with 'id='."],
  ["testid=x", "a target can't begin with 'testid='."],
  ["role=", "the target does not name a role."],
  ["role=button[level=2]", "the target does not name a role."],
  ["role=button[name=]", "the name is empty."],
  ["text=", "there is nothing after 'text='."],
  ["a[href", "'a[href' is not a whole CSS selector."],
  ["a[title='x]", "'a[title='x]' is not a whole CSS selector."],
  ["div >> text=x", "a CSS selector has no '>>'."],
])("%s is refused", (written, message) => {
  expect(parseTarget(written)).toMatchObject({ ok: false, error: { message } });
});
