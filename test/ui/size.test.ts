import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildPage } from "../../scripts/build-page.js";
import { measurePage } from "../../scripts/page-size.js";

test("the list of runs needs at most 40 KB, compressed, and the whole page at most 60 KB", async () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-page-"));
  try {
    await buildPage(directory);
    const { firstView, all } = measurePage(directory);
    // A page without its parts would be small, too.
    expect(firstView).toBeGreaterThan(20_000);
    expect(all).toBeGreaterThan(firstView + 20_000);
    expect(firstView).toBeLessThanOrEqual(40_000);
    expect(all).toBeLessThanOrEqual(60_000);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
