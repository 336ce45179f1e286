import type { Environment } from "../../block/ports.ts";
import { ok, type Result } from "../../util/result.ts";
import { loadPackage } from "../load-package.ts";
import type { Playwright } from "./playwright.ts";

/** That version takes messages over pipes of ours, and tells the password of the proxy to no server. */
const wanted = { name: "playwright-core", variable: "FROND_PLAYWRIGHT", leastVersion: [1, 65] } as const;

export function loadPlaywright({ variables }: Environment): Result<Playwright, string> {
  const loaded = loadPackage(wanted, variables);
  return loaded.ok ? ok(loaded.value.module as Playwright) : loaded;
}
