// Keeps runs as this version leaves them, for the tests of every later one: `npm run freeze-runs [-- directory]`. They are made once, when a version is released, and never
// anew: test/cli/stored-runs.test.ts reads them for ever. What is kept is a state directory, and what `frond show` says of each run in it.
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const place = resolve(process.argv[2] ?? join("test/fixtures/released", version));
if (existsSync(place)) {
  console.error(`${place} is there already. The runs of a released version are never made anew.`);
  process.exit(1);
}

const program = resolve("dist/main.js");
const made = realpathSync(mkdtempSync(join(tmpdir(), "frond-stored-runs-")));
const [state, workspace, stories] = ["state", "workspace", "stories"].map((name) => join(made, name));
mkdirSync(workspace);
// Runs keep where their workflows lay, which is not to be wherever this repository lies now.
cpSync("scripts/stored-runs", stories, { recursive: true });
const env = { PATH: process.env.PATH, HOME: made, FROND_STATE_DIR: state, FROND_SECRET_TOKEN: "told to nobody" };

try {
  const runs = {};
  const runStory = async (name) => {
    const { run_id: id } = await frond(["run", join(stories, `${name}.yaml`), "--json"]);
    runs[name] = { id };
    return id;
  };
  const finished = await runStory("finished");
  await runStory("rolled-back");
  await runStory("paused");
  await runStory("over-budget");
  runs.undo = { id: (await frond(["undo", finished, "--yes", "--json"])).run_id };
  runs.rerun = { id: (await frond(["rerun", finished, "--from", "secret", "--json"])).run_id };
  runs.cancelled = { id: await stopStory("interrupted", "SIGINT") };
  runs.interrupted = { id: await stopStory("interrupted", "SIGKILL") };
  runs.sleeping = { id: await stopStory("sleeping", "SIGINT") };
  for (const run of Object.values(runs)) run.shown = await frond(["show", run.id, "--json"]);

  mkdirSync(place, { recursive: true });
  for (const kept of ["frond.db", "logs", "blobs"])
    cpSync(join(state, kept), join(place, "state", kept), { recursive: true });
  writeFileSync(join(place, "runs.json"), `${JSON.stringify(runs, undefined, 2)}\n`);
  console.log(`Kept ${Object.keys(runs).join(", ")} in ${place}.`);
} finally {
  rmSync(made, { recursive: true, force: true });
}

/** The document that a command line prints; a failed run has one, too. */
async function frond(args) {
  const said = await promisify(execFile)(process.execPath, [program, ...args], { cwd: workspace, env }).catch(
    (error) => error,
  );
  try {
    return JSON.parse(said.stdout);
  } catch {
    throw new Error(`frond ${args.join(" ")} printed no document: ${said.stderr}`);
  }
}

/** Starts a story and sends a signal once it can do nothing more by itself: in a command, or asleep. Its run's id. */
async function stopStory(name, signal) {
  rmSync(join(workspace, "begun"), { force: true });
  const child = spawn(process.execPath, [program, "run", join(stories, `${name}.yaml`)], {
    cwd: workspace,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!existsSync(join(workspace, "begun")) && !said.includes("Nothing goes on before")) await delay(20);
  child.kill(signal);
  await ended;
  return /run_\w+/.exec(said)[0];
}
