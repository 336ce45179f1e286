import type { Environment } from "../../block/ports.ts";
import { err, type Result } from "../../util/result.ts";
import { findBrowser } from "./find-browser.ts";
import { loadPlaywright } from "./load-playwright.ts";

/** The program of the browser that blocks would use; else what is missing and how to get it. */
export function examineBrowser(environment: Environment): Result<string, string> {
  const playwright = loadPlaywright(environment);
  if (!playwright.ok) return err(playwright.error);
  return findBrowser(environment, () => playwright.value.chromium.executablePath());
}
