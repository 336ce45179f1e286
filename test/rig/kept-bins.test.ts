import { expect, test } from "vitest";
import { createFrond, type Ended, type Frond, shell, workflow } from "./frond.ts";
import { connect } from "./mcp.ts";

const files = {
  "greet.yaml": workflow("greet", [shell("greet", 'echo "$WORD from $(pwd)"; echo careful >&2')]),
  "broken.yaml": "name: broken\nblocks: 3\n",
};

/** Without what is different each time: ids and durations. */
function settled({ code, stdout, stderr }: Ended): Ended {
  const plain = (text: string): string => text.replaceAll(/run_\w{16}/g, "run_").replaceAll(/\d+m?s\b/g, "0ms");
  return { code, stdout: plain(stdout), stderr: plain(stderr) };
}

test.each<[string, readonly string[], { stdin?: string }?]>([
  ["runs a workflow", ["run", "greet.yaml"]],
  ["gives JSON", ["validate", "greet.yaml", "--json"]],
  ["refuses a file", ["run", "broken.yaml"]],
  ["refuses a command", ["rnu"]],
  ["reads its input", ["save", "-", "--name", "greet"], { stdin: files["greet.yaml"] }],
  ["shows its help", ["run", "--help"]],
])("a command line that %s says the same in a kept process as in one of its own", async (_, args, options) => {
  const frond = createFrond(files);
  const env = { WORD: "hello" };
  const alone = settled(await frond.alone.run(args, { ...options, env }));
  const again = createFrond(files);
  const rename = (text: string): string => text.replaceAll(again.directory, frond.directory);
  for (let use = 0; use < 2; use += 1) {
    const { code, stdout, stderr } = settled(await again.run(args, { ...options, env }));
    expect({ code, stdout: rename(stdout), stderr: rename(stderr) }).toEqual(alone);
  }
});

test("a kept process has nothing of the environment, the directory or the journal of the one before", async () => {
  const said = async (frond: Frond, env: Record<string, string>): Promise<string> =>
    (await frond.run(["run", "greet.yaml", "--logs", "all"], { env })).stdout;
  const [first, second] = [createFrond(files), createFrond(files)];
  expect(await said(first, { WORD: "hello" })).toContain(`hello from ${first.directory}`);
  expect(await said(second, {})).toContain(` from ${second.directory}`);
  expect(await said(second, {})).not.toContain("hello");
  expect((await second.json(["runs"])).reply).toMatchObject({ runs: [{ workflow: "greet" }, { workflow: "greet" }] });
});

test("a kept server has nothing of the one before, and hears and ends as one of its own does", async () => {
  const pids = new Set<number>();
  for (const name of ["one", "two", "three"]) {
    const frond = createFrond();
    const { call, client, log, pid } = await connect(frond, { env: { FROND_LOG_LEVEL: "info" } });
    const text = workflow(name, [shell("say", `echo ${name} in $(pwd)`)]);
    const { data } = await call("execute_inline_workflow", { workflow_yaml: text });
    expect(data.stdout_tail).toEqual({ say: `${name} in ${frond.directory}` });
    expect((await call("list_runs")).data.runs).toMatchObject([{ workflow: name }]);
    expect(log()).not.toBe("");
    await client.close();
    pids.add(pid);
  }
  expect(pids.size).toBe(1);
});

test("a kept server that is killed is gone, and others do not miss it", async () => {
  const [killed, other] = [await connect(createFrond()), await connect(createFrond())];
  const gone = new Promise<void>((resolve) => {
    killed.client.onclose = resolve;
  });
  process.kill(killed.pid, "SIGKILL");
  await gone;
  expect((await other.call("list_runs")).data.runs).toEqual([]);
  expect((await (await connect(createFrond())).call("list_runs")).data.runs).toEqual([]);
});

test("command lines at the same time do not wait for each other", async () => {
  const waiting = workflow("waiting", [shell("wait", "until [ -e go ]; do sleep 0.05; done")]);
  const frond = createFrond({ "waiting.yaml": waiting, "going.yaml": workflow("going", [shell("go", "touch go")]) });
  const ended = await Promise.all(["waiting.yaml", "going.yaml"].map((file) => frond.run(["run", file])));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
});
