import { type Bench, pairs, parallel } from "./bench.ts";
import { cpuOfTree } from "./cpu-time.ts";
import { Floor, trueLanes } from "./floor.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { ms, row } from "./rows.ts";
import { BenchServer } from "./servers.ts";
import { chain, diamond, diamondCommands, flat, shellTrue } from "./shapes.ts";

interface Shape {
  readonly name: string;
  readonly what: string;
  readonly text: string;
  /** The same commands without Frond. */
  readonly lanes: readonly (readonly string[])[];
  readonly target: number;
  /** How many runs are one measurement: more of a short one. */
  readonly runs: number;
}

const shapes: readonly Shape[] = [
  {
    name: "flat-1",
    what: "a call of one block",
    text: flat(1, shellTrue),
    lanes: trueLanes(1, 1),
    target: 5,
    runs: 20,
  },
  ...([100, 1_000] as const).flatMap((size): Shape[] => {
    const runs = size < 1_000 ? 3 : 1;
    const [inLanes, inChain] = [trueLanes(size, parallel), trueLanes(size, 1)];
    return [
      { name: `flat-${size}`, what: `${size} flat`, text: flat(size, shellTrue), lanes: inLanes, target: 1.1, runs },
      {
        name: `chain-${size}`,
        what: `chain of ${size}`,
        text: chain(size, shellTrue),
        lanes: inChain,
        target: 1.5,
        runs,
      },
    ];
  }),
  {
    name: "diamond",
    what: "diamond 0.1+1 s beside 1+0.1 s",
    text: diamond(),
    lanes: [diamondCommands.slice(0, 2), diamondCommands.slice(2)],
    target: 1.04,
    runs: 1,
  },
];

/** What a whole call of execute_workflow takes, from the client's side, beside the bare commands; the runs are durable. */
export const callBenches: readonly Bench[] = shapes.map(({ name, what, text, lanes, target, runs }) => ({
  name,
  async run({ frond, workspace, env, addWorkflow }) {
    addWorkflow(name, text.replace("name: bench", `name: ${name}`));
    const floor = new Floor();
    const server = new BenchServer([frond, "serve"], { cwd: workspace, env });
    try {
      await server.initialize();
      await server.run(name);
      await floor.time(lanes, workspace);
      const cpu: { frond: number[]; bare: number[] } = { frond: [], bare: [] };
      const measured = async (pid: number, into: number[], one: () => Promise<unknown>): Promise<number> => {
        const before = cpuOfTree(pid);
        const took = await timed(async () => {
          for (let run = 0; run < runs; run++) await one();
        });
        into.push((cpuOfTree(pid) - before) / runs);
        return took / runs;
      };
      const { ratio, a, b } = await comparePairs(
        pairs,
        () => measured(server.pid, cpu.frond, () => server.run(name)),
        () => measured(floor.pid, cpu.bare, () => floor.time(lanes, workspace)),
      );
      const used = `CPU ${ms(median(cpu.frond))} / ${ms(median(cpu.bare))}`;
      return [row(`execute_workflow, ${what} / bare children`, ratio, target, `${ms(a)} / ${ms(b)}, ${used}`)];
    } finally {
      await Promise.all([server.end(), floor.end()]);
    }
  },
}));
