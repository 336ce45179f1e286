// Finds what the tests of Browser need, and says where it is, as JSON: playwright-core and Chromium. Both come from npm, are fetched when
// they are first asked for, and kept outside of the repository, because Chromium takes seconds to unpack.
import { execFileSync } from "node:child_process";
import { chmodSync, createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { alone, cache } from "./alone.js";
import { fetchPackage } from "./fetch-package.js";
import { chromiumPackage, playwrightPackage } from "./needed-packages.js";

await alone(async () => {
  const playwright = fetchPackage(...playwrightPackage);
  const browser = process.env.FROND_BROWSER ?? (await findChromium());
  if (playwright === undefined || browser === undefined) {
    const advice = "npm must be able to fetch them, or set FROND_BROWSER to a Chromium or Chrome that is there";
    console.error(`The tests of Browser need playwright-core and Chromium: ${advice}.`);
    process.exitCode = 1;
  } else console.log(JSON.stringify({ browser, playwright: join(playwright, "..") }));
});

async function findChromium() {
  const [, version] = chromiumPackage;
  const program = join(cache, `chromium-${version}`);
  if (existsSync(program)) return program;
  const packed = fetchPackage(...chromiumPackage);
  if (packed === undefined) return undefined;
  const unfinished = `${program}.${process.pid}`;
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unfinished));
  chmodSync(unfinished, 0o755);
  try {
    execFileSync(unfinished, ["--version"], { stdio: "pipe" });
  } catch (error) {
    rmSync(unfinished);
    console.error(
      `The Chromium of ${chromiumPackage[0]} can't be run here: ${`${error.stderr ?? error.message}`.trim().split("\n")[0]}`,
    );
    return undefined;
  }
  renameSync(unfinished, program);
  return program;
}
