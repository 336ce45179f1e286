import { type Bench, pairs, parallel } from "./bench.ts";
import { cpuOfTree } from "./cpu-time.ts";
import { Floor, trueLanes } from "./floor.ts";
import { comparePairs, median, timed } from "./pairs.ts";
import { ms, row } from "./rows.ts";
import { BenchServer } from "./servers.ts";
import { chain, diamond, diamondCommands, flat, shellTrue, shTrue } from "./shapes.ts";

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
  ...rowsOf(100, 3, { flat: 1.3, chain: 1.8 }),
  ...rowsOf(1_000, 1, { flat: 1.1, chain: 1.5 }),
  ...rowsOf(1_000, 1, { flat: 1.1, chain: 1.5 }, shTrue).map((shape) => ({
    ...shape,
    name: `${shape.name}-sh`,
    what: `${shape.what} by sh`,
  })),
  {
    name: "diamond",
    what: "diamond 0.1+1 s beside 1+0.1 s",
    text: diamond(),
    lanes: [diamondCommands.slice(0, 2), diamondCommands.slice(2)],
    target: 1.04,
    runs: 1,
  },
];

/** Planning and the start of the run weigh the more the fewer blocks there are. */
function rowsOf(
  size: number,
  runs: number,
  targets: { readonly flat: number; readonly chain: number },
  body: () => string = shellTrue,
): Shape[] {
  const kinds = [
    { kind: "flat", what: `${size} flat`, make: flat, lanes: parallel, target: targets.flat },
    { kind: "chain", what: `chain of ${size}`, make: chain, lanes: 1, target: targets.chain },
  ];
  return kinds.map(({ kind, what, make, lanes, target }) => ({
    name: `${kind}-${size}`,
    what,
    text: make(size, body),
    lanes: trueLanes(size, lanes),
    target,
    runs,
  }));
}

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
