import { beforeAll, expect, test } from "vitest";
import { createDispatch } from "../../src/dispatch/dbos-dispatch.ts";
import type { WorkerDispatch } from "../../src/runs/dispatch.ts";
import type { Log } from "../../src/util/log.ts";
import { postgresVariables, startPostgres } from "../rig/postgres.ts";
import { describeDispatch, segment } from "./contract.ts";

let url = "";

beforeAll(async () => {
  url = await (await startPostgres()).createDatabase();
});

function open(): WorkerDispatch {
  const log: Log = (level, message) => {
    // What a worker could not drive is told; nothing else goes wrong.
    if (level === "error" && !message.includes("can't be driven")) throw new Error(message);
  };
  return createDispatch({ url, variables: postgresVariables(url), log });
}

test("before the first worker there is nothing to wait in, and nothing fails", async () => {
  const dispatch = open();
  await dispatch.enqueue(segment("early"));
  expect(await dispatch.waiting()).toEqual(new Map());
  expect(await dispatch.listOpen()).toEqual([]);
  await dispatch.close();
});

describeDispatch("on DBOS", open);
