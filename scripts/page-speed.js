// Prints how long the page takes to answer somebody who looks at a run of 2,000 blocks and at a loop of 10,000 passes, in the Chromium of
// the tests: `npm run page-speed`. Each figure is the time from a key or a click to the next picture, as the browser tells it.
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const rounds = 7;
const bin = resolve("dist/main.js");
const project = mkdtempSync(join(tmpdir(), "frond-page-speed-"));
const env = { ...process.env, FROND_STATE_DIR: join(project, "state") };
const found = execFileSync(process.execPath, ["scripts/find-browser.js"], { encoding: "utf8" });
const { browser: executablePath, playwright } = JSON.parse(found);
const { chromium } = createRequire(import.meta.url)(playwright);

// Blocks without a process of their own: what counts is how many there are. A few fail.
const read = (id, path, more = {}) => ({ id, type: "ReadFile", inputs: { path }, ...more });
const wide = Array.from({ length: 2_000 }, (_, at) => {
  const [stage, row] = [Math.floor(at / 100), at % 100];
  const before = stage === 0 ? {} : { depends_on: [{ block: `stage${stage - 1}_${row}`, required: false }] };
  return read(`stage${stage}_${row}`, at % 333 === 7 ? "none.txt" : "some.txt", before);
});
const loop = read("each", "${each.value}", {
  for_each: Array.from({ length: 10_000 }, (_, at) => (at % 1111 === 7 ? "none.txt" : "some.txt")),
  on_failure: "continue",
});
prepare({ wide, loop: [loop] });

const server = spawn(process.execPath, [bin, "ui", "--no-open", "--port", "0"], { cwd: project, env });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--headless=new"], headless: true });
try {
  const runs = { wide: await run("wide"), loop: await run("loop") };
  const tab = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await tab.addInitScript(() => {
    globalThis.took = [];
    new PerformanceObserver((list) => {
      for (const { duration, interactionId } of list.getEntries())
        if (interactionId > 0) globalThis.took.push(duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  });
  const link = await readLink();
  await tab.goto(link);
  await tab.waitForURL(/:\d+\/$/);
  const origin = new URL(link).origin;
  const load = loadavg()[0].toFixed(1);
  console.log(
    `${await browser.version()}, ${availableParallelism()} cores, load ${load}; median and longest of ${rounds}`,
  );
  await measureWide(tab, origin, runs.wide);
  await measureLoop(tab, origin, runs.loop);
} finally {
  await browser.close();
  server.kill("SIGINT");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(project, { recursive: true, force: true });
}

async function measureWide(tab, origin, runId) {
  console.log("a run of 2,000 blocks");
  await size(tab, `/api/runs/${runId}`);
  await open(tab, origin, runId, "", ".cell-grid");
  const groups = ["wave", "state", "name"];
  await repeat(tab, "select a block", (at) => click(tab, ".cell-grid-area", at));
  await repeat(tab, "group in another way", (at) =>
    tab
      .locator(".graph-ways button", { hasText: groups[at % groups.length] })
      .first()
      .click(),
  );
  await repeat(tab, "next failure", () => tab.keyboard.press("f"));
  await tab.keyboard.press("/");
  await repeat(tab, "a letter of the name of a block", (at) => tab.keyboard.press("stage1_"[at]));
  await repeat(tab, "find it", () => tab.keyboard.press("Enter"));
}

async function measureLoop(tab, origin, runId) {
  console.log("a loop of 10,000 passes");
  await size(tab, `/api/runs/${runId}/level/each`);
  await open(tab, origin, runId, "/each/", ".cell-grid");
  await repeat(tab, "select a pass", (at) => click(tab, ".cell-grid-area", at));
  await repeat(tab, "only those that stand so", (at) =>
    tab
      .locator(".graph-ways button")
      .nth(1 + (at % 3))
      .click(),
  );
  await repeat(tab, "next failure", () => tab.keyboard.press("f"));
}

/** From a click in the list to what is drawn, with what is asked of the server. */
async function open(tab, origin, runId, below, selector) {
  const all = [];
  for (let round = 0; round < rounds; round++) {
    await tab.goto(`${origin}/workflows`);
    await tab.locator(".header").waitFor();
    all.push(
      await tab.evaluate(
        ([path, sought]) =>
          new Promise((tell) => {
            const began = performance.now();
            history.pushState(null, "", path);
            dispatchEvent(new PopStateEvent("popstate"));
            const look = () =>
              document.querySelector(sought) === null
                ? requestAnimationFrame(look)
                : requestAnimationFrame(() => tell(performance.now() - began));
            look();
          }),
        [`/runs/${runId}${below}`, selector],
      ),
    );
  }
  print("open it", all);
}

/** The second time: the server has read the run then. */
async function size(tab, path) {
  const ask = async (asked) => {
    const began = performance.now();
    const { length } = await (await fetch(asked)).text();
    return [length, performance.now() - began];
  };
  await tab.evaluate(ask, path);
  const [bytes, ms] = await tab.evaluate(ask, path);
  console.log(`  ${"what the server sends".padEnd(34)}${Math.round(bytes / 1000)} kB in ${Math.round(ms)} ms`);
}

async function repeat(tab, name, act) {
  const all = [];
  for (let round = 0; round < rounds; round++) {
    await tab.evaluate("globalThis.took.length = 0");
    await act(round);
    // Entries come after the picture that they are about.
    await tab.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 300)))");
    // What takes less than 16 ms has none.
    all.push(await tab.evaluate("Math.max(0, ...globalThis.took)"));
  }
  print(name, all);
}

async function click(tab, selector, at) {
  const box = await tab.locator(selector).first().boundingBox();
  await tab.mouse.click(box.x + 4 + (at % 3) * 10, box.y + 4 + at);
}

function print(name, all) {
  const sorted = [...all].sort((one, other) => one - other);
  const word = (ms) => (ms < 16 ? "< 16" : String(Math.round(ms))).padStart(6);
  console.log(`  ${name.padEnd(34)}${word(sorted[Math.floor(sorted.length / 2)])} ms${word(sorted.at(-1))} ms`);
}

function prepare(workflows) {
  mkdirSync(join(project, ".frond", "workflows"), { recursive: true });
  writeFileSync(join(project, "some.txt"), "some\n");
  for (const [name, blocks] of Object.entries(workflows)) {
    const text = JSON.stringify({ name, description: "Many blocks", blocks });
    writeFileSync(join(project, ".frond", "workflows", `${name}.yaml`), text);
  }
  execFileSync(process.execPath, [bin, "trust"], { cwd: project, env, stdio: "ignore" });
}

async function run(name) {
  // Some blocks fail, and so does the command.
  const { stdout } = await promisify(execFile)(process.execPath, [bin, "run", name, "--json"], {
    cwd: project,
    env,
    maxBuffer: 1e9,
  }).catch((failed) => failed);
  return /"run_id": ?"([^"]+)"/.exec(stdout)[1];
}

function readLink() {
  return new Promise((resolveLink) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      const [link] = /http:\S+\/open\?key=\S+/.exec(line) ?? [];
      if (link !== undefined) resolveLink(link);
    });
  });
}
