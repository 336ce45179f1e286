import { expect, test } from "vitest";
import { findBrowser } from "./find-browser.ts";

function environment(
  variables: Record<string, string>,
  programs: Record<string, string> = {},
): Parameters<typeof findBrowser>[0] {
  return { variables, findProgram: (name) => programs[name] };
}

const nothing = (): undefined => undefined;

test("the program that is asked for goes before those on PATH, and those before the one that Playwright has fetched", () => {
  const programs = { chromium: "/usr/bin/chromium", "google-chrome": "/usr/bin/google-chrome" };
  const own = (): string => process.execPath;
  const asked = environment({ FROND_BROWSER: process.execPath }, programs);
  expect(findBrowser(asked, own)).toEqual({ ok: true, value: process.execPath });
  expect(findBrowser(environment({}, programs), own)).toEqual({ ok: true, value: "/usr/bin/google-chrome" });
  expect(findBrowser(environment({}), own)).toEqual({ ok: true, value: process.execPath });
});

test("one that is asked for and is not there is not replaced by another", () => {
  const programs = { chromium: "/usr/bin/chromium" };
  for (const path of ["/nowhere/chrome", "chromium", "/"]) {
    const found = findBrowser(environment({ FROND_BROWSER: path }, programs), nothing);
    expect(found).toMatchObject({ ok: false, error: expect.stringContaining(`FROND_BROWSER is '${path}'`) });
  }
});
