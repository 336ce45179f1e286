import { get, type IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { type EventSink, eventStream } from "../../src/http/event-stream.ts";
import { defineRoute, type Route } from "../../src/http/route.ts";
import { ok } from "../../src/util/result.ts";
import { openPageDoor, token } from "../rig/page-door.ts";
import { waitFor } from "../rig/wait-for.ts";

/** A route whose streams the test holds the other end of. */
function streaming(): { readonly route: Route; readonly sinks: EventSink[]; stopped: number } {
  const sinks: EventSink[] = [];
  const held = {
    sinks,
    stopped: 0,
    route: defineRoute({
      method: "GET",
      path: "/runs/events",
      summary: "Events",
      effect: "reads",
      isStream: true,
      answer: async ({ signal }) =>
        eventStream(signal, (sink) => {
          sinks.push(sink);
          return () => {
            held.stopped += 1;
          };
        }),
    }),
  };
  return held;
}

function listenTo(port: number): Promise<IncomingMessage> {
  const options = {
    port,
    path: "/api/runs/events",
    headers: { authorization: `Bearer ${token}` },
    agent: false as const,
  };
  return new Promise((resolve, reject) => get({ ...options, host: "127.0.0.1" }, resolve).on("error", reject));
}

test("the end of the server ends streams, and does not wait for those who read nothing", async () => {
  const held = streaming();
  const door = await openPageDoor({ routes: [held.route] });
  const reading = await listenTo(door.port);
  const idle = await listenTo(door.port);
  idle.pause();
  reading.resume();
  const ended = new Promise((resolve) => reading.once("end", () => resolve(reading.complete)));
  await door.close();
  expect(await ended).toBe(true);
  expect(held.stopped).toBe(2);
  idle.destroy();
});

test("when the reader of a stream has gone, whoever sends is told", async () => {
  const held = streaming();
  const door = await openPageDoor({ routes: [held.route] });
  (await listenTo(door.port)).destroy();
  await waitFor("the stream to be stopped", () => held.stopped === 1);
});

test("a reader that takes nothing costs a few megabytes, and is sent the end", async () => {
  const held = streaming();
  const door = await openPageDoor({ routes: [held.route] });
  const reader = await listenTo(door.port);
  reader.pause();
  let sent = 0;
  await waitFor("the stream to be stopped", () => {
    for (const sink of held.sinks) sink.send("change", "x".repeat(100_000), ++sent);
    return held.stopped === 1;
  });
  expect(sent).toBeLessThan(1_000);
  reader.destroy();
});

test("a path that is said exactly goes before one with a name in it, wherever they stand", async () => {
  const route = (path: string): Route =>
    defineRoute({
      method: "GET",
      path,
      summary: path,
      effect: "reads",
      answer: async ({ params }) => ok({ path, params }),
    });
  const door = await openPageDoor({
    routes: ["/runs/:run/level/*address", "/:any", "/runs/:run", "/runs/events", "/runs"].map(route),
  });
  const ask = async (path: string): Promise<unknown> =>
    JSON.parse((await door.send("GET", path, { authorization: `Bearer ${token}` })).body);
  expect(await ask("/api/runs")).toEqual({ path: "/runs", params: {} });
  expect(await ask("/api/runs/events")).toEqual({ path: "/runs/events", params: {} });
  expect(await ask("/api/runs/run_1")).toEqual({ path: "/runs/:run", params: { run: "run_1" } });
  expect(await ask("/api/runs/run_1/level")).toMatchObject({ params: { address: "" } });
  expect(await ask("/api/runs/run_1/level/a%20b/2")).toMatchObject({ params: { address: "a b/2" } });
  expect(await ask("/api/runs/%E0/level")).toMatchObject({ error: { code: "no-route" } });
});
