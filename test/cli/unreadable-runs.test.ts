import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";
import { nameOfJournal } from "../rig/stored-journal.ts";
import { asking, type MixedRuns, makeMixedRuns } from "./unreadable-runs.ts";

/** Why each of them can't be read. */
function reasons({ unreadable }: MixedRuns, journal: string): Readonly<Record<string, string>> {
  return {
    [unreadable.unknownType]: "The workflow 'asking' can't be run: There is no block type 'Vanished'.",
    [unreadable.unknownKey]: "The workflow 'asking' can't be run: block 'first' has no key 'vanished'.",
    [unreadable.damagedEvent]: `Event 2 of ${unreadable.damagedEvent} is damaged in ${journal}.`,
    [unreadable.damagedQuestion]: "Event 5, a question, is damaged.",
  };
}

interface CheckpointReply {
  readonly total: number;
  readonly problems: readonly { readonly run_id: string; readonly problem: { readonly message: string } }[];
}

async function listCheckpoints(frond: Frond): Promise<CheckpointReply> {
  const { code, reply } = await frond.json(["checkpoints", "--all"]);
  expect(code).toBe(0);
  return reply as CheckpointReply;
}

test("runs that can't be read are a problem of their own in every command: the other ones of fifty work", async () => {
  const frond = createFrond({ "asking.yaml": asking });
  const runs = await makeMixedRuns(frond);
  const { unreadable } = runs;
  const why = reasons(runs, nameOfJournal(frond));

  const { reply: listed } = await frond.json(["runs", "--all"]);
  expect((listed as { runs: unknown[] }).runs).toHaveLength(50);

  const before = await listCheckpoints(frond);
  expect(before.total).toBe(runs.paused.length + runs.interrupted.length);
  const told = before.problems.map(({ run_id, problem }) => [run_id, problem.message]);
  expect(Object.fromEntries(told)).toEqual(
    Object.fromEntries(Object.entries(why).map(([run, reason]) => [run, `${run} can't be read. ${reason}`])),
  );
  const { stderr } = await frond.run(["checkpoints"]);
  expect(stderr).toContain(`warning: ${unreadable.unknownType} can't be read.`);
  expect(stderr).toContain(
    `Use the version of Frond that started it, or end it with \`frond cancel ${unreadable.unknownType}\`.`,
  );
  expect(stderr).toContain(
    `Restore the journal from a copy, or end it with \`frond cancel ${unreadable.damagedEvent}\`.`,
  );

  const refused = [
    ["show", unreadable.unknownType],
    ["show", unreadable.unknownKey],
    ["show", unreadable.damagedEvent],
    ["resume", unreadable.unknownKey],
    ["rerun", unreadable.damagedEvent],
  ] as const;
  for (const [command, runId] of refused) {
    const { code, reply } = await frond.json([command, runId]);
    const message = `${runId} can't be read. ${why[runId]}`;
    expect({ command, code, reply }).toMatchObject({ code: 2, reply: { errors: [{ message }] } });
  }
  expect((await frond.run(["show", runs.paused[3] ?? ""])).code).toBe(0);
  const answered = await frond.json(["resume", runs.paused[4] ?? "", "--response", "yes"]);
  expect(answered).toMatchObject({ code: 0, reply: { status: "success" } });

  const recovered = await frond.json(["recover"]);
  const { runs: all } = recovered.reply as { runs: { status: string; run_id: string; error?: string }[] };
  const inStatus = (wanted: string) => all.filter(({ status }) => status === wanted);
  expect(
    inStatus("paused")
      .map(({ run_id: id }) => id)
      .sort(),
  ).toEqual([...runs.interrupted].sort());
  expect(inStatus("interrupted").map(({ run_id, error }) => [run_id, error?.split(" or end it")[0]])).toEqual(
    [
      [unreadable.unknownType, "Use the version of Frond that started it,"],
      [unreadable.unknownKey, "Use the version of Frond that started it,"],
      [unreadable.damagedEvent, "Restore the journal from a copy,"],
    ].map(([run = "", fix]) => [run, `${run} can't be read. ${why[run]} ${fix}`]),
  );

  const { code, stdout } = await frond.run(["cancel", unreadable.unknownType]);
  expect([code, stdout]).toEqual([
    0,
    `${unreadable.unknownType} is cancelled. It could not be read, so nothing that it had started was stopped.\n`,
  ]);
  const { reply: collected } = await frond.json(["gc", "--older-than", "0s"]);
  expect((collected as { runs: { run_id: string }[] }).runs.map(({ run_id: id }) => id).sort()).toEqual(
    [...runs.finished, runs.paused[4], unreadable.unknownType].sort(),
  );
  expect((await listCheckpoints(frond)).problems.map(({ run_id }) => run_id)).not.toContain(unreadable.unknownType);
});

test("the tools of the server list and read the other ones of fifty, and say of those which, why and what to do", async () => {
  const frond = createFrond({ "asking.yaml": asking });
  const runs = await makeMixedRuns(frond);
  const { unreadable } = runs;
  const why = reasons(runs, nameOfJournal(frond));
  const { call } = await connect(frond);

  const listed: unknown[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { data } = await call("list_runs", { limit: 50, ...(cursor === "" ? {} : { cursor }) });
    listed.push(...data.runs);
    cursor = data.next_cursor;
  }
  expect(listed).toHaveLength(50);

  const { data: checkpoints, isError } = await call("list_checkpoints", { limit: 50 });
  expect(isError).toBe(false);
  expect(checkpoints.total).toBe(runs.paused.length + runs.interrupted.length);
  expect(checkpoints.problems.map(({ run_id }: { run_id: string }) => run_id).sort()).toEqual(Object.keys(why).sort());
  expect(checkpoints.problems[0].fix).toContain("Call cancel_run");

  for (const runId of [unreadable.unknownType, unreadable.unknownKey, unreadable.damagedEvent]) {
    const { data, isError: isRefused } = await call("get_run", { run_id: runId });
    expect(isRefused).toBe(true);
    expect(data.errors).toMatchObject([
      { message: `${runId} can't be read. ${why[runId]}`, fix: expect.stringContaining("Call cancel_run") },
    ]);
  }
  expect((await call("get_run", { run_id: runs.paused[0] })).data).toMatchObject({ status: "paused" });
  expect((await call("get_run", { run_id: runs.interrupted[0] })).data).toMatchObject({ status: "interrupted" });
  const { data: question } = await call("get_run", { run_id: runs.paused[1] });
  const { data: info } = await call("get_checkpoint_info", { checkpoint_id: question.checkpoint_id });
  expect(info).toMatchObject({ found: true, run_id: runs.paused[1] });
  const lost = await call("get_checkpoint_info", {
    checkpoint_id: `${unreadable.unknownKey.replace("run_", "chk_")}_0`,
  });
  expect(lost).toMatchObject({ isError: true, data: { errors: [{ code: "unreadable-run" }] } });
  const ended = await call("cancel_run", { run_id: unreadable.unknownKey });
  expect(ended.data).toMatchObject({ status: "failure", run_id: unreadable.unknownKey, cancelled: true });
});
