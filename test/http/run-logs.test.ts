import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { type Hearing, hearEvents } from "../rig/hear-events.ts";
import { type HttpDoor, openHttpDoor } from "../rig/http-door.ts";
import { waitFor } from "../rig/wait-for.ts";

const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;

async function newestRun(door: HttpDoor): Promise<string> {
  let runId = "";
  await waitFor("a run to be listed", async () => {
    const { runs } = (await (await door.send({}, "/api/runs")).json()) as { runs: { run_id: string }[] };
    runId = runs[0]?.run_id ?? "";
    return runId !== "";
  });
  return runId;
}

function texts({ events }: Hearing): string[] {
  return events.flatMap(({ data }) => data.lines.map(({ text }: { text: string }) => text));
}

async function ran(frond: Frond, blocks: readonly object[], more: readonly string[] = []): Promise<string> {
  frond.write("flow.yaml", workflow("flow", blocks));
  return ((await frond.json(["run", "flow.yaml", ...more])).reply as { run_id: string }).run_id;
}

test("lines are told as another process writes them, and whoever comes again hears each line once", async () => {
  const frond = createFrond({
    "flow.yaml": workflow("flow", [
      shell(
        "say",
        `echo one; echo two >&2; ${until("a")}; echo three; printf 'go on? '; ${until("b")}; echo four; ${until("c")}; echo five`,
      ),
    ]),
  });
  const door = await openHttpDoor(frond);
  const running = frond.start(["run", "flow.yaml"]);
  const path = `/api/runs/${await newestRun(door)}/logs/say`;
  const first = await hearEvents(door, path);
  await waitFor("what is there", () => texts(first).length === 2);
  expect(first.events[0]?.event).toBe("start");
  frond.write("a", "");
  await waitFor("a line without an end", () => texts(first).includes("go on? "));
  first.stop();
  frond.write("b", "");
  const again = await hearEvents(door, path, first.events.at(-1)?.id);
  await waitFor("what came meanwhile", () => texts(again).length > 0);
  frond.write("c", "");
  await waitFor("the end of the stream", () => again.hasEnded);
  await running.ended;
  expect([...texts(first), ...texts(again)].sort()).toEqual(["five", "four", "go on? ", "one", "three", "two"]);
  expect(again.events.map(({ event }) => event)).not.toContain("start");
  expect(again.events.at(-1)?.data.has_ended).toBe(true);
  const headers = { accept: "text/event-stream", "last-event-id": again.events.at(-1)?.id ?? "" };
  expect((await door.send({ headers }, path)).status).toBe(204);
  const fresh = await hearEvents(door, path, "abcdef.3");
  await waitFor("all of it, for who knows another server", () => fresh.hasEnded);
  expect(fresh.events[0]?.event).toBe("start");
  expect(texts(fresh)).toHaveLength(6);
});

test("the log of an attempt gives way to that of the next one, and can still be asked for", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const command = "if [ -e tried ]; then echo second; else touch tried; echo first; exit 1; fi";
  const runId = await ran(frond, [shell("flaky", command, { retry: { attempts: 2, delay: 0 } })]);
  const json = async (query: string): Promise<unknown> =>
    (await door.send({ headers: { accept: "application/json" } }, `/api/runs/${runId}/logs/flaky${query}`)).json();
  expect(await json("")).toMatchObject({ lines: [{ text: "second" }], has_ended: true });
  expect(await json("?attempt=1")).toMatchObject({ lines: [{ text: "first" }], has_ended: true });
  expect((await door.send({}, `/api/runs/${runId}/logs/flaky?attempt=7`)).status).toBe(404);
  expect((await door.send({}, `/api/runs/${runId}/logs/nobody`)).status).toBe(404);
});

test("of what holds several blocks the lines of all are told, each with its block; the whole log is a text to download", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const runId = await ran(frond, [
    shell("each", "echo ${each.value}", { for_each: ["x", "y"] }),
    shell("last", "echo done", { depends_on: ["each"] }),
  ]);
  const heard = await hearEvents(door, `/api/runs/${runId}/logs`);
  await waitFor("the end", () => heard.hasEnded);
  const lines = heard.events.flatMap(({ data }) => data.lines) as { block: string; text: string }[];
  expect(lines.map(({ block, text }) => `${block} ${text}`).sort()).toEqual(["each/0 x", "each/1 y", "last done"]);
  const whole = await door.send({ headers: { accept: "text/plain" } }, `/api/runs/${runId}/logs/last`);
  expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(whole.headers.get("content-disposition")).toBe(`attachment; filename="${runId}-last.log"`);
  expect(await whole.text()).toBe("done\n");
});

test("secrets are in no line of a log, nor of the list", async () => {
  const frond = createFrond({
    "flow.yaml": workflow("flow", [
      {
        id: "tell",
        type: "Shell",
        inputs: { command: 'echo "key=$KEY"; echo "$KEY" >&2; exit 1', env: { KEY: "${secrets.KEY}" } },
      },
    ]),
  });
  const door = await openHttpDoor(frond);
  await frond.run(["run", "flow.yaml"], { env: { FROND_SECRET_KEY: "tops3cr3t-value" } });
  const runId = await newestRun(door);
  const heard = await hearEvents(door, `/api/runs/${runId}/logs/tell`);
  await waitFor("the end", () => heard.hasEnded);
  expect(texts(heard).join()).toContain("key=");
  const list = await (await door.send({}, "/api/runs")).text();
  const whole = await (await door.send({}, `/api/runs/${runId}/logs`)).text();
  expect(`${JSON.stringify(heard.events)}${list}${whole}`).not.toContain("tops3cr3t");
});

test("of 100,000 lines the last 2,000 are told at once, and nobody else waits for it", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const runId = await ran(frond, [shell("many", "seq 1 100000")]);
  const heard = await hearEvents(door, `/api/runs/${runId}/logs/many`);
  // Whoever asks meanwhile is answered, again and again.
  do expect((await door.send({}, "/api/runs?limit=1")).status).toBe(200);
  while (!heard.hasEnded);
  const [start] = heard.events;
  expect(start).toMatchObject({ event: "start", data: { skipped: 98_000, has_ended: true } });
  expect([start?.data.lines.length, start?.data.lines.at(-1).text]).toEqual([2_000, "100000"]);
  const small = await hearEvents(door, `/api/runs/${runId}/logs/many?tail=3`);
  await waitFor("the end", () => small.hasEnded);
  expect(texts(small)).toEqual(["99998", "99999", "100000"]);
});

test("of what is written faster than it is read nothing is lost without being counted", async () => {
  const frond = createFrond({ "flow.yaml": workflow("flow", [shell("many", `${until("go")}; seq 1 100000`)]) });
  const door = await openHttpDoor(frond);
  const running = frond.start(["run", "flow.yaml"]);
  const heard = await hearEvents(door, `/api/runs/${await newestRun(door)}/logs/many`);
  frond.write("go", "");
  await running.ended;
  await waitFor("the end", () => heard.hasEnded);
  const counted = heard.events.reduce((sum, { data }) => sum + data.lines.length + (data.skipped ?? 0), 0);
  expect([counted, texts(heard).at(-1)]).toEqual([100_000, "100000"]);
});

test("lines that tell of a failure say so, also those that show a cross only", async () => {
  const frond = createFrond();
  const runId = await ran(frond, [
    shell("say", "echo ' ✗ uploads'; echo '0 errors'; echo 'AssertionError: no'; echo ✓"),
  ]);
  const heard = await hearEvents(await openHttpDoor(frond), `/api/runs/${runId}/logs/say`);
  await waitFor("the end of the stream", () => heard.hasEnded);
  const lines = heard.events.flatMap(({ data }) => data.lines as { text: string; is_failure?: true }[]);
  expect(lines.filter(({ is_failure }) => is_failure).map(({ text }) => text)).toEqual([
    " ✗ uploads",
    "AssertionError: no",
  ]);
});
