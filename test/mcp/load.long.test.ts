import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { initialize, type RawServer, startRaw } from "../rig/raw-mcp.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { waitFor } from "../rig/wait-for.ts";

const runs = scaled({ slice: 10, long: 200 });
const rounds = scaled({ slice: 3, long: 5 });

/** 20 blocks: commands, and blocks that need none, in two chains. */
const blocks = Array.from({ length: 20 }, (_, index) => ({
  ...(index % 10 === 0
    ? shell(`b${index}`, "true")
    : { id: `b${index}`, type: "RenderTemplate", inputs: { template: "block {{ n }}", variables: { n: index } } }),
  ...(index < 2 ? {} : { depends_on: [`b${index - 2}`] }),
}));

test(`${runs} runs of 20 blocks at once: pings are answered within a second, and afterwards the memory is what it was`, {
  timeout: longTimeout,
}, async () => {
  const preload = new URL("../rig/report-heap.cjs", import.meta.url).pathname;
  const server = startRaw(createFrond(), [], { NODE_OPTIONS: `--require=${preload}` });
  await initialize(server);
  const heaps: number[] = [];
  let worst = 0;
  for (let round = 0; round < rounds; round++) {
    worst = Math.max(worst, await runAll(server, round));
    heaps.push(await heapOf(server, round + 1));
  }
  const growth = heaps.map((heap) => heap - (heaps[1] as number));
  const figures = `worst ping ${worst.toFixed(0)} ms, heap in MB ${heaps.map((heap) => (heap / 1e6).toFixed(1)).join(", ")}`;
  if (process.env.FROND_LONG === "1") process.stdout.write(`${figures}\n`);
  // A slice runs beside everything else that is tested.
  expect(worst, figures).toBeLessThan(scaled({ slice: 60_000, long: 1_000 }));
  // The first round loads code; from the second on nothing may be left behind that grows with the number of runs.
  expect(growth.at(-1), figures).toBeLessThan(runs * 10_000 + 3_000_000);
});

/** The longest that a ping took meanwhile. */
async function runAll(server: RawServer, round: number): Promise<number> {
  const yaml = workflow("load", blocks);
  const ids = Array.from({ length: runs }, (_, index) => `run-${round}-${index}`);
  for (const id of ids) {
    const args = { workflow_yaml: yaml, wait_seconds: 300 };
    server.request(id, "tools/call", { name: "execute_inline_workflow", arguments: args });
  }
  let isDone = false;
  const pinging = pingWhile(server, round, () => !isDone);
  const replies = await Promise.all(ids.map((id) => answerOf(server, id)));
  isDone = true;
  for (const { result } of replies) expect(JSON.parse(result.content[0].text)).toMatchObject({ status: "success" });
  return pinging;
}

type Answer = Awaited<ReturnType<RawServer["answer"]>>;

async function answerOf(server: RawServer, id: string): Promise<Answer> {
  const found = (): Answer | undefined => server.messages.find((message) => message.id === id);
  await waitFor(`the answer to ${id}`, () => found() !== undefined, longTimeout);
  return found() as Answer;
}

async function pingWhile(server: RawServer, round: number, isGoingOn: () => boolean): Promise<number> {
  let worst = 0;
  for (let count = 0; isGoingOn(); count++) {
    const sent = performance.now();
    server.request(`ping-${round}-${count}`, "ping");
    await answerOf(server, `ping-${round}-${count}`);
    worst = Math.max(worst, performance.now() - sent);
  }
  return worst;
}

async function heapOf(server: RawServer, count: number): Promise<number> {
  const told = (): readonly string[] => [...server.log().matchAll(/^heap (\d+)$/gm)].map(([, bytes]) => bytes ?? "");
  server.child.kill("SIGUSR2");
  await waitFor(`report ${count} of the heap`, () => told().length >= count);
  return Number(told()[count - 1]);
}
