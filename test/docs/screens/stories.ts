import type { Stage } from "./stage.ts";

/** What is to be seen in each picture, in the order of the page. */
export const notes: Readonly<Record<string, string>> = {
  "A run goes on":
    "`✓` has succeeded, `✗` has failed, a spinner runs, `·` waits for others, `?` waits for an answer, `-` was skipped. Behind a name: how long it has taken, and the last line that it wrote.",
  "A run has failed": "Which block, why, and what to type next.",
  "frond show RUN": "A run as it stands, or as it ended.",
  "frond runs": "The newest first, one line each.",
  "frond list": "What can be run by name.",
  "frond info NAME": "What a workflow takes, gives and does.",
  "frond graph NAME": "What waits for what.",
};

/** Stories that a person may live through; each of them leaves pictures. */
export const stories: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "a run": async ({ screen, pass, finish, picture }) => {
    screen.enter("frond run ship");
    await screen.until("> ci");
    finish("ci", 4200);
    await screen.until(/test .*> test/);
    await screen.until(/> run build worker/);
    finish("run lint", 1900);
    await screen.until(/✓ lint/);
    finish("run build api", 2600);
    await screen.until(/build .* 1\/3/);
    pass(700);
    await screen.until("9.4s");
    picture("A run goes on");
  },

  "what there is": async ({ screen, picture }) => {
    await screen.run("frond list");
    picture("frond list");
    screen.clear();
    await screen.run("frond info ship");
    picture("frond info NAME");
    screen.clear();
    await screen.run("frond graph ship");
    picture("frond graph NAME");
  },

  "a run that fails": async ({ screen, pass, finish, picture }) => {
    await screen.run("frond run hello-world > log");
    pass(86_400_000);
    await screen.run("frond run plan-sale > log");
    pass(7_000_000);
    for (const command of ["run build api", "run build web", "run build worker", "run tidy"]) finish(command, 0);
    finish("run lint", 0, { says: ["src/cart.ts:12 'total' is never used", "1 problem"], code: 1 });
    finish("ci", 0);
    screen.clear();
    screen.enter("frond run ship");
    await screen.until(/✗ lint/);
    finish("test", 4200);
    await screen.prompted();
    picture("A run has failed");
    screen.clear();
    pass(60_000);
    await screen.run("frond show last");
    picture("frond show RUN");
    screen.clear();
    await screen.run("frond runs");
    picture("frond runs");
  },
};
