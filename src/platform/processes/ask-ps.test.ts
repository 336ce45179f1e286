import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { askPs } from "./ask-ps.ts";

test.runIf(existsSync("/bin/ps"))("ps tells one start time of a process in every zone, and nothing of nobody", () => {
  const child = spawn("sleep", ["300"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  vi.stubEnv("TZ", "Asia/Tokyo");
  const found = askPs(child.pid as number);
  vi.unstubAllEnvs();
  expect(found).toEqual({ startTime: expect.stringMatching(/ \d\d:\d\d:\d\d \d{4}$/), hasEnded: false });
  expect(askPs(child.pid as number)).toEqual(found);
  expect(Math.abs(Date.parse(`${found?.startTime} UTC`) - Date.now())).toBeLessThan(60_000);
  expect(askPs(2 ** 22 + 1)).toBeUndefined();
});
