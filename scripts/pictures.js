// Takes the pictures of docs/pictures: real runs of a small project in a server of their own, looked at with the Chromium of the tests.
// Times and ids are those of the moment, so the pictures differ each time: take them anew when the page looks different, not otherwise.
import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { shrinkPng } from "./pictures/shrink-png.js";

const [only] = process.argv.slice(2);
const pictures = resolve("docs/pictures");
const mostBytes = 120_000;
const bin = resolve("dist/main.js");
const base = mkdtempSync(join(tmpdir(), "ada-"));
const project = join(base, "shop");
const env = {
  ...process.env,
  HOME: base,
  USER: "ada",
  FROND_STATE_DIR: join(base, "state"),
  PATH: `${join(base, "bin")}:${process.env.PATH}`,
};
const found = execFileSync(process.execPath, ["scripts/find-browser.js"], { encoding: "utf8" });
const { browser: executablePath, playwright } = JSON.parse(found);
const { chromium } = createRequire(import.meta.url)(playwright);

prepare();
const server = spawn(process.execPath, [bin, "ui", "--no-open", "--port", "0"], { cwd: project, env });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--headless=new"], headless: true });
try {
  const link = await readLink();
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(link);
  const runs = await makeRuns(tab);
  const origin = new URL(link).origin;
  for (const picture of describePictures(runs)) {
    if (only !== undefined && !picture.name.startsWith(only)) continue;
    for (const colours of ["light", "dark"]) await take(tab, origin, picture, colours);
  }
} finally {
  // The last one would go on for minutes.
  for (const name of JSON.parse(await frond("runs", "--json")).runs)
    if (name.status === "running") await frond("cancel", name.run_id);
  await browser.close();
  server.kill("SIGINT");
  await new Promise((ended) => server.once("exit", ended));
  rmSync(base, { recursive: true, force: true });
}

function describePictures({ ship, tidyUp }) {
  return [
    { name: "runs", path: "/runs", shows: ".run-row" },
    { name: "run", path: `/runs/${ship}/publish_rc`, shows: ".log-row", closes: true },
    { name: "question", path: `/runs/${ship}/test/14`, shows: ".log-row" },
    { name: "undo", path: `/undo/${tidyUp}`, shows: ".diff" },
    { name: "workflow", path: "/workflows/ship", shows: ".graph" },
    { name: "phone", path: `/runs/${ship}`, shows: ".mini-graph", width: 400, height: 800, closes: true },
  ];
}

async function take(tab, origin, { name, path, shows, width = 1440, height = 900, closes = false }, colours) {
  await tab.setViewportSize({ width, height });
  await tab.emulateMedia({ colorScheme: colours, reducedMotion: "reduce" });
  await tab.goto(`${origin}${path}`);
  await tab.locator(shows).first().waitFor();
  if (closes) await closeQuestion(tab);
  await tab.mouse.move(0, 0);
  // Fonts, fades and the strips of the list come a moment later.
  await tab.waitForTimeout(800);
  const file = join(pictures, `${name}-${colours}.png`);
  const picture = shrinkPng(await tab.screenshot());
  writeFileSync(file, picture);
  console.log(`${name}-${colours}.png  ${Math.round(picture.length / 1000)} kB`);
  if (picture.length > mostBytes) throw new Error(`${file} is larger than ${mostBytes} bytes: show less of it.`);
}

async function closeQuestion(tab) {
  await tab.locator(".question-fold[aria-expanded=true]").first().click();
}

function prepare() {
  mkdirSync(pictures, { recursive: true });
  mkdirSync(join(base, "bin"));
  cpSync("scripts/pictures/npm", join(base, "bin", "npm"));
  chmodSync(join(base, "bin", "npm"), 0o755);
  cpSync("scripts/pictures/shop", project, { recursive: true });
  cpSync("scripts/pictures/workflows", join(project, ".frond", "workflows"), { recursive: true });
  execFileSync(process.execPath, [bin, "trust"], { cwd: project, env, stdio: "ignore" });
}

/** Those that ended first, then those that wait, and last the one that goes on while it is looked at. */
async function makeRuns(tab) {
  for (const version of ["2.2.0", "2.2.1", "2.3.0"]) {
    const paused = await run("ship", "-i", `version=${version}`, "-i", "soak=1s");
    await answer(tab, paused.run_id, { environment: "production", reason: "", looked: true });
  }
  await run("node-ci");
  await run("node-ci", "-i", "branch=fix/upload");
  await run("hello-world", "-i", "name=Ada");
  await run("parallel-blocks");
  const { run_id: tidyUp } = await run("tidy-up");
  edit("CHANGELOG.md", "- Twelve uploads at once", "- Twelve uploads at once, was four");
  edit("src/client.ts", "bytes`", "bytes in all`");
  await run("conditional-blocks");
  await run("deploy");
  rmSync(join(base, "tried"), { force: true });
  writeFileSync(join(base, "now"), "");
  const { run_id: ship } = await run("ship", "-i", "version=2.4.0", "--detach");
  await waitUntil(tab, ship, ({ blocks }) => {
    const stands = (id) => blocks.find(({ address }) => address === id);
    return (
      stands("approve")?.standing === "asks" &&
      stands("publish_rc")?.attempt === 2 &&
      stands("fix_lint")?.standing === "done"
    );
  });
  return { ship, tidyUp };
}

async function answer(tab, run, given) {
  const { head } = await ask(tab, `/api/runs/${run}`);
  const [question] = head.questions;
  await ask(tab, `/api/runs/${run}/answers`, { question: question.id, answer: given });
  await waitUntil(tab, run, ({ head: { standing } }) => standing === "done" || standing === "failed");
}

async function waitUntil(tab, run, isReached) {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (isReached(await ask(tab, `/api/runs/${run}`))) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${run} does not come to where the pictures show it.`);
}

/** As the page does: with its cookie, so that an answer is a person's. */
async function ask(tab, path, body) {
  const text = await tab.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json", "x-frond": "1" };
      const response = await fetch(
        path,
        body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) },
      );
      return response.text();
    },
    [path, body],
  );
  return JSON.parse(text);
}

function edit(path, old, text) {
  const file = join(project, path);
  writeFileSync(file, readFileSync(file, "utf8").replace(old, text));
}

async function run(name, ...more) {
  return JSON.parse(await frond("run", name, "--json", ...more));
}

/** A failed or paused run is what is wanted, so the exit code says nothing. */
async function frond(...words) {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words], { cwd: project, env }).catch(
    (error) => error,
  );
  return stdout;
}

async function readLink() {
  for await (const line of createInterface({ input: server.stdout })) {
    const [link] = line.match(/http:\S+\/open\?\S+/) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error("frond ui gave no link.");
}
