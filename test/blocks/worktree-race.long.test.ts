import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { canExchange, startExchanging } from "../rig/exchange.ts";
import { createRepository } from "../rig/git-repository.ts";
import { runBlock } from "../rig/run-block.ts";
import { longTimeout, scaled } from "../rig/scale.ts";

beforeEach((context) => {
  if (!canExchange()) context.skip("python3 can't call renameat2 here");
});

/** Making a worktree takes several steps, of which some must find the directory. */
const slow = 4_000_000;

const tries = scaled({ slice: 6, long: 2000 });
/** Git looks at all worktrees of a repository whenever it makes one. */
const perRepository = 40;

test(
  "while the parent of a worktree is exchanged for a link, nothing is made or removed where that leads",
  async () => {
    let made = 0;
    const strays: string[] = [];
    for (let done = 0; done < tries; ) {
      const engine = createTestEngine();
      const outside = realpathSync(mkdtempSync("/var/tmp/frond-outside-"));
      onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
      const [here, there] = [join(engine.workspace, "trees"), join(engine.workspace, "exchanged")];
      writeFileSync(join(engine.workspace, "a"), "first");
      createRepository(engine.workspace);
      mkdirSync(here);
      symlinkSync(outside, there);
      // An empty directory is where git would make a worktree too.
      const names = Array.from({ length: Math.min(perRepository, tries - done) }, (_, index) => `tree-${index}`);
      for (const name of names) mkdirSync(join(outside, name));
      const racer = await startExchanging(here, there, slow);
      for (const name of names) {
        const { outputs } = await runBlock(engine, "CreateWorktree", { path: `trees/${name}`, branch: name });
        if (outputs.created === true) {
          made += 1;
          await runBlock(engine, "RemoveWorktree", { path: `trees/${name}`, force: true });
        }
        done += 1;
      }
      await racer.end();
      strays.push(...names.flatMap((name) => readdirSync(join(outside, name))));
      expect(readdirSync(outside)).toHaveLength(names.length);
    }
    process.stderr.write(`${tries} worktrees tried, ${made} made, ${strays.length} files outside\n`);
    expect(strays).toEqual([]);
  },
  longTimeout,
);
