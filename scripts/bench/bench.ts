import type { Ground } from "./ground.ts";

/** One subject of `npm run bench`. It returns lines of the report. */
export interface Bench {
  readonly name: string;
  run(ground: Ground): Promise<readonly string[]>;
}

/** How many times A and B are measured, in turn. */
export const pairs: number = Number(process.env.FROND_BENCH_PAIRS ?? 7);

/** As many commands as Frond runs at the same time, here as in what it is compared with. */
export const parallel = 8;
