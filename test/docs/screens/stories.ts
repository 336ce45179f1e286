import type { Stage } from "./stage.ts";

/** What is to be seen in each picture, in the order of the page. */
export const notes: Readonly<Record<string, string>> = {
  "A run goes on":
    "`✓` has succeeded, a spinner runs, `·` waits for others. Behind a name: how long it has taken, and the last line that it wrote.",
  "A question amid failures":
    "`✗` has failed, `?` waits for an answer. The question stands below the tree, and the rest goes on above it.",
  "The end of a run that succeeded": "What the run gives, and that it succeeded.",
  "The end of a run that failed": "Which block failed and why, what `-` was skipped for it, and what to type next.",
  "frond show RUN": "The same at any later time, with what the run was given.",
  "frond changes RUN": "What the run changed, by which blocks, and how the files differ.",
  "frond undo RUN": "What comes back, what stays and what can't be undone, before anything is changed.",
  "The end of an undo": "What came back, what stayed, and what to type next.",
  "A run that was rolled back": "With `on_failure: rollback`, what the run changed is taken back when a block fails.",
  "A form": "An answer of several fields is asked for field by field.",
  "After kill -9": "Nobody knows how far the interrupted blocks got, so each of them is asked about, in one go.",
  "frond run --detach": "The run goes on in the background, and the terminal is free.",
  "frond attach": "As if the run were driven here.",
  "Ctrl-C in frond attach": "The run goes on.",
  "frond init asks": "In a terminal: which agent is to be told of Frond.",
  "frond init": "What was made in a project that had none, and what to type next.",
  "frond runs": "The newest first, one line each.",
  "frond list": "What can be run by name.",
  "frond info NAME": "What a workflow takes, gives and does.",
  "frond graph NAME": "What waits for what.",
};

const firstChoice = "\u001b[B\r";

const builds = ["run build api", "run build web", "run build worker"];
const deployment = ["run upload", "run migrate", "run invalidate"];

/** Stories that a person may live through; each of them leaves pictures. */
export const stories: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a run that succeeds": async (stage) => {
    const { screen, pass, finish, picture } = stage;
    screen.enter("frond run ship");
    await screen.until("> ci");
    finish("ci", 4200);
    for (const command of ["run lint", "test", ...builds]) await screen.until(`> ${command}`);
    finish("run build api", 2600);
    await screen.until(/build .* 1\/3/);
    pass(700);
    await screen.until("7.5s");
    picture("A run goes on");
    for (const command of ["run build web", "run build worker", "test"]) finish(command, 400);
    await untilDeployed(stage);
    for (const command of deployment) finish(command, 1200);
    await screen.until("> run tidy");
    finish("run tidy", 300);
    await screen.prompted();
    picture("The end of a run that succeeded");
  },

  "a run that fails": async ({ screen, finish, picture, show }) => {
    screen.enter("frond run ship --input target=production");
    await screen.until("> ci");
    finish("ci", 4200);
    for (const command of ["run lint", "test", ...builds]) await screen.until(`> ${command}`);
    finish("run build web", 2100, { says: ["src/cart.ts:12: 'totl' is not defined", "1 error"], code: 1 });
    await screen.until(/✗ .*web/);
    finish("run lint", 1900);
    await screen.until("approve asks");
    picture("A question amid failures");
    screen.type(firstChoice);
    for (const command of ["test", "run build api", "run build worker"]) finish(command, 900);
    await screen.until("> run tidy");
    finish("run tidy", 300);
    await screen.prompted();
    picture("The end of a run that failed");
    screen.clear();
    await show("frond show last", "frond show RUN");
  },

  "a run that is undone": async ({ frond, screen, finish, picture, show }) => {
    finish("publish", 800);
    finish("run check", 300, { says: ["The shop does not open"], code: 1 });
    await screen.run("frond run release.yaml > log 2>&1");
    screen.clear();
    await show("frond changes last", "frond changes RUN");
    frond.write("CHANGELOG.md", `${frond.read("CHANGELOG.md")}- Tulips\n`);
    screen.clear();
    screen.enter("frond undo last");
    await screen.until("Esc");
    picture("frond undo RUN");
    finish("run withdraw", 400);
    screen.clear();
    screen.type("y");
    await screen.prompted();
    picture("The end of an undo");
  },

  "a run that is rolled back": async ({ screen, finish, picture }) => {
    finish("test", 1200, { says: ["The shop does not open"], code: 1 });
    screen.enter("frond run safe-release.yaml");
    await screen.prompted();
    picture("A run that was rolled back");
  },

  "a form": async ({ screen, picture }) => {
    screen.enter("frond run plan-sale");
    await screen.until("details asks");
    screen.type("Roses\t15");
    await screen.until("❯ percent   15");
    await screen.until("leaves");
    picture("A form");
  },

  "a run that is killed": async (stage) => {
    const { screen, finish, picture } = stage;
    screen.enter("frond run ship");
    await screen.until("> ci");
    finish("ci", 4200);
    await screen.until("> run build worker");
    for (const command of [...builds, "test"]) finish(command, 800);
    await untilDeployed(stage);
    process.kill(screen.foreground(), "SIGKILL");
    await screen.prompted();
    screen.clear();
    screen.enter("frond resume last");
    await screen.until("What should happen to each?");
    // A moment after it has asked, nothing of the run goes on any more.
    await screen.until("leaves");
    picture("After kill -9");
  },

  "a run in the background": async ({ screen, finish, picture, show }) => {
    await show("frond run ship --detach", "frond run --detach");
    screen.clear();
    screen.enter("frond attach");
    await screen.until("> ci");
    finish("ci", 4200);
    for (const command of ["run lint", "test", ...builds]) await screen.until(`> ${command}`);
    picture("frond attach");
    screen.type("\u0003");
    await screen.prompted();
    picture("Ctrl-C in frond attach");
    // Nobody here has driven it, so it has to be ended before its directory is removed.
    for (const command of ["run lint", "test", ...builds, ...deployment, "run tidy"]) finish(command, 400);
    screen.enter("frond resume last");
    await screen.until("approve asks");
    screen.type(firstChoice);
    await screen.prompted();
  },

  "a new project": async ({ screen, picture }) => {
    await screen.run("cd blog");
    screen.clear();
    screen.enter("frond init");
    await screen.until("Enter");
    picture("frond init asks");
    screen.type(firstChoice);
    await screen.prompted();
    picture("frond init");
  },

  "what there is": async ({ screen, pass, finish, show }) => {
    await show("frond list", "frond list");
    screen.clear();
    await show("frond info ship", "frond info NAME");
    screen.clear();
    await show("frond graph ship", "frond graph NAME");
    await screen.run("frond run hello-world > log");
    pass(86_400_000);
    await screen.run("frond run plan-sale > log");
    pass(7_000_000);
    finish("ci", 0, { says: ["npm error 404 garden-icons@3 is not in the registry"], code: 1 });
    finish("run tidy", 0);
    await screen.run("frond run ship > log 2>&1");
    pass(60_000);
    screen.clear();
    await show("frond runs", "frond runs");
  },
};

/** Answers the question, and looks on until the deployment has begun. */
async function untilDeployed({ screen, finish }: Stage): Promise<void> {
  await screen.until(/✓ build/);
  await screen.until(/✓ test/);
  finish("run lint", 1900);
  await screen.until("approve asks");
  screen.type(firstChoice);
  for (const command of deployment) await screen.until(`> ${command}`);
}
