import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** Where the program of the browser is named that is to be used. */
const browserVariable = "FROND_BROWSER";

const programNames = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "chrome",
  "chrome-headless-shell",
  "microsoft-edge",
];

const usualPlaces = [
  "/opt/google/chrome/chrome",
  "/usr/lib/chromium/chromium",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/** The program of a browser; else what to do. `ownBrowser` is where Playwright puts the one that it fetches. */
export function findBrowser(
  { variables, findProgram }: Environment,
  ownBrowser: () => string | undefined,
): Result<string, string> {
  const asked = variables[browserVariable] ?? "";
  if (asked !== "") {
    if (isAbsolute(asked) && isProgram(asked)) return ok(asked);
    return err(`${browserVariable} is '${asked}', and there is no program: set it to the path of Chrome or Chromium`);
  }
  for (const name of programNames) {
    const found = findProgram(name);
    if (found !== undefined) return ok(found);
  }
  const own = ownBrowser();
  const found = [...(own === undefined ? [] : [own]), ...usualPlaces].find(isProgram);
  if (found !== undefined) return ok(found);
  return err(
    `no Chrome or Chromium is found: install one, for example with \`npx playwright-core install chromium\`, or set ${browserVariable} to the path of its program`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
