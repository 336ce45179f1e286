import { existsSync } from "node:fs";
import type { SlotUse } from "../../src/platform/processes/command-slots.ts";

/** What holds for commands holds however they are started. */
export const waysToStart: readonly (readonly [string, { readonly slots: SlotUse }])[] = [
  ["started by a slot", { slots: "always" }],
  ["started without a slot", { slots: "never" }],
];

/** Elsewhere `always` changes nothing. */
export const hasSlots: boolean = process.platform === "linux" && existsSync("/usr/bin/perl");
