import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, pairs } from "./bench.ts";
import type { Ground } from "./ground.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { ms, row } from "./rows.ts";
import { BenchServer } from "./servers.ts";

/** How long it takes until Frond is there, on the command line and as a server. */
export const startBenches: readonly Bench[] = [
  {
    name: "start",
    async run(ground) {
      const { frond, workspace } = ground;
      const start = (...args: readonly string[]) => startTime(args, workspace, ground);
      const validate = [frond, "validate", join(process.cwd(), "workflows/examples/hello-world.yaml")];
      const complete = [frond, "complete", "--shell", "fish", "--", "run", ""];
      const project = makeProject(ground);
      try {
        await start(frond, "list");
        const validating = await comparePairs(
          pairs * 3,
          () => start(...validate),
          () => start("-e", "0"),
        );
        const listing = await comparePairs(
          pairs * 3,
          () => start(frond, "list"),
          () => start("-e", "0"),
        );
        const listMany = () => startTime([frond, "list"], project, ground);
        const first = await listMany();
        const many = await comparePairs(pairs * 3, listMany, () => start("-e", "0"));
        const suggesting = await comparePairs(
          pairs * 3,
          () => start(...complete),
          () => start(frond, "list"),
        );
        return [
          row("frond validate of a small file / node -e 0", validating.ratio, 2.2, sides(validating)),
          row("frond list / node -e 0", listing.ratio, 2.2, sides(listing)),
          row(`frond list, ${manyFiles} more files / node -e 0`, many.ratio, 2.5, `${sides(many)}, first ${ms(first)}`),
          row("frond complete / frond list", suggesting.ratio, 1, sides(suggesting)),
        ];
      } finally {
        rmSync(project, { recursive: true, force: true });
      }
    },
  },
  {
    name: "serve",
    async run(ground) {
      const bare: number[] = [];
      const reached: number[][] = [];
      await comparePairs(
        pairs * 3,
        () =>
          timed(async () => {
            reached.push(await startServer(ground));
          }),
        async () => {
          bare.push(await startTime(["-e", "0"], ground.workspace, ground));
          return 1;
        },
      );
      return steps.map(({ what, target }, step) => {
        const took = reached.map((times) => times[step] as number);
        const ratio = median(took.map((time, index) => time / (bare[index] as number)));
        return row(
          `frond serve, start to ${what} / node -e 0`,
          ratio,
          target,
          `${ms(median(took))} / ${ms(median(bare))}`,
        );
      });
    },
  },
];

const steps = [
  { what: "the answer of initialize", target: 1.1 },
  { what: "the answer of tools/list", target: 2 },
  { what: "the answer of the first list_workflows", target: 2.5 },
] as const;

/** Milliseconds from the start of a server to each of its first answers. A client asks for the next when it has one. */
async function startServer({ frond, workspace, env }: Ground): Promise<number[]> {
  const begunAt = performance.now();
  const since = (): number => performance.now() - begunAt;
  const server = new BenchServer([frond, "serve"], { cwd: workspace, env });
  await server.initialize();
  const times = [since()];
  await server.request("tools/list");
  times.push(since());
  await server.call("list_workflows");
  times.push(since());
  await server.end();
  return times;
}

function startTime(args: readonly string[], cwd: string, { env }: Ground): Promise<number> {
  return timed(
    () =>
      new Promise<void>((resolve, reject) => {
        const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
        child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(" ")}: ${code}`))));
      }),
  );
}

const manyFiles = 200;

/** A project with workflows of its own, of the size that people write, which it trusts. */
function makeProject({ frond, env }: Ground): string {
  const project = mkdtempSync(join(tmpdir(), "frond-bench-project-"));
  const directory = join(project, ".frond", "workflows");
  mkdirSync(directory, { recursive: true });
  for (let index = 0; index < manyFiles; index++) {
    writeFileSync(join(directory, `task-${index}.yaml`), projectWorkflow(index));
  }
  const trusted = spawnSync(process.execPath, [frond, "trust", project], { env, encoding: "utf8" });
  if (trusted.status !== 0) throw new Error(trusted.stderr);
  const checked = spawnSync(process.execPath, [frond, "validate", join(directory, "task-0.yaml")], {
    env,
    encoding: "utf8",
  });
  if (checked.status !== 0) throw new Error(checked.stderr);
  return project;
}

function projectWorkflow(index: number): string {
  const blocks = Array.from({ length: 8 }, (_, block) =>
    [
      `  - id: step_${block}`,
      "    type: Shell",
      "    inputs:",
      `      command: echo "\${inputs.target}" step ${block} of ${index}`,
      ...(block === 0 ? [] : [`    depends_on: [step_${block - 1}]`]),
    ].join("\n"),
  );
  return [
    `name: task-${index}`,
    `description: Does what task ${index} is for, one step after the other`,
    "tags: [bench, project]",
    "inputs:",
    "  target: { type: string, default: all, description: What it is done to }",
    "blocks:",
    ...blocks,
    "",
  ].join("\n");
}

function sides({ a, b }: { readonly a: number; readonly b: number }): string {
  return `${ms(a)} / ${ms(b)}`;
}
