import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { BlockType } from "../../src/block/define-block.ts";
import { once } from "../../src/util/once.ts";
import {
  createTestEngine,
  type Outcome,
  type TestEngine,
  type TestEngineOptions,
  type Written,
} from "../rig/engine.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";
import { serve } from "../rig/http-server.ts";
import { createMachine } from "../rig/machine.ts";

const canary = "kanari'+/?=vögel 7d1f";

interface Watched extends Outcome {
  readonly engine: TestEngine;
  /** What was shown while it ran. */
  readonly shown: string;
}

/** Runs with the canary as a secret, and looks for it in everything that is left of the run. */
async function watch(written: Written, options: TestEngineOptions = {}): Promise<Watched> {
  const engine = createTestEngine({ secrets: { CANARY: canary }, ...options });
  let shown = "";
  const outcome = await engine.run(written, {
    onOutput: (_path, text) => {
      shown += text;
    },
  });
  expectNoSecret(engine, outcome);
  expect(findSecret(shown, canary)).toEqual([]);
  return { ...outcome, engine, shown };
}

function expectNoSecret(engine: TestEngine, { events, response }: Outcome): void {
  expect(findSecret(JSON.stringify(events), canary)).toEqual([]);
  expect(findSecret(JSON.stringify(response), canary)).toEqual([]);
  expect(filesWithSecret(engine.engine.platform.stateDirectory, canary)).toEqual([]);
}

function shell(id: string, inputs: object, more: object = {}): object {
  return { id, type: "Shell", inputs, ...more };
}

/** Tells whether it was handed the very secret, which can't be seen by printing it. */
const isRight = `printf %s "$T" | cmp -s - right && echo right`;

describe("a command gets the secret", () => {
  test.each([
    ["in its text", { command: `T="\${secrets.CANARY}"; ${isRight}` }],
    ["in its text, in single quotes", { command: `T='\${secrets.CANARY}'; ${isRight}` }],
    ["in its environment", { command: isRight, env: { T: "${secrets.CANARY}" } }],
    ["on its standard input", { command: `T=$(cat); ${isRight}`, stdin: "${secrets.CANARY}" }],
    ["as an argument", { args: ["bash", "-c", `T=$1; ${isRight}`, "_", "${secrets.CANARY}"] }],
    ["as a word without a shell", { command: "sh check.sh ${secrets.CANARY}", shell: false }],
  ])("%s", async (_how, inputs) => {
    const engine = createTestEngine({ secrets: { CANARY: canary } });
    writeFileSync(join(engine.workspace, "right"), canary);
    writeFileSync(join(engine.workspace, "check.sh"), `T=$1; ${isRight}`);
    const outcome = await engine.run({ blocks: [shell("a", inputs)] });
    expect(outcome.response.blocks?.a?.outputs.stdout).toBe("right\n");
    expectNoSecret(engine, outcome);
    expect(JSON.stringify(outcome.response.blocks?.a?.inputs)).toContain("${secrets.CANARY}");
  });

  test("and nothing else of Frond's secrets", async () => {
    const { response } = await watch(
      { blocks: [shell("a", { command: "env | grep -c SECRET; true", env: { T: "${secrets.CANARY}" } })] },
      { environment: { FROND_SECRET_CANARY: canary } },
    );
    expect(response.blocks?.a?.outputs.stdout).toBe("0\n");
  });
});

describe("what a command says loses the secret", () => {
  const T = { env: { T: "${secrets.CANARY}" } };
  test.each([
    ["as it is", 'echo "<$T>"', "<[secret CANARY]>\n"],
    ["byte by byte", `for i in $(seq 0 \${#T}); do printf %s "\${T:$i:1}"; sleep 0.002; done`, "[secret CANARY]"],
    ["in base64", 'printf %s "$T" | base64 -w0', "[secret CANARY]"],
    ["in base64 behind one character", 'printf "x%s" "$T" | base64 -w0', /^\S{2}\[secret CANARY\]\S{0,4}$/],
    ["in base64 behind two, in short lines", 'printf "xx%s" "$T" | base64 -w4', /^\S{3}\[secret CANARY\]\S{0,4}\n*$/],
    ["in single quotes", `printf "'%s'" "\${T//\\'/\\'\\\\\\'\\'}"`, "'[secret CANARY]'"],
    ["traced by the shell", 'set -x; : "$T"', ""],
  ])("%s", async (_how, command, stdout) => {
    const { response, shown } = await watch({ blocks: [shell("a", { command, ...T })] });
    expect(response.blocks?.a?.outputs.stdout).toEqual(
      typeof stdout === "string" ? stdout : expect.stringMatching(stdout),
    );
    expect(shown).toContain("[secret CANARY]");
  });

  test("in URLs and in JSON", async () => {
    const script =
      "const t = process.env.T; console.log(encodeURIComponent(t), String(new URLSearchParams({ t })), JSON.stringify(t))";
    const { response } = await watch({ blocks: [shell("a", { args: ["node", "-e", script], ...T })] });
    expect(response.blocks?.a?.outputs.stdout).toBe('[secret CANARY] t=[secret CANARY] "[secret CANARY]"\n');
  });

  test("on stderr, and in the message of its failure", async () => {
    const { response, state } = await watch({
      blocks: [shell("a", { command: 'echo "error: $T" >&2; exit 3', ...T })],
    });
    expect(response.failed_blocks?.[0]?.message).toBe("exit code 3: error: [secret CANARY]");
    expect(state.root.record.blocks.a?.outputs.stderr).toBe("error: [secret CANARY]\n");
  });

  test("when it can't be started", async () => {
    const { response } = await watch({ blocks: [shell("a", { args: ["/nowhere/${secrets.CANARY}"] })] });
    expect(response.failed_blocks?.[0]?.message).toContain("[secret CANARY]");
  });

  test("where the middle of long output is left out", async () => {
    const command = `head -c 490 /dev/zero | tr '\\0' .; printf %s "$T"; head -c 2000 /dev/zero | tr '\\0' .`;
    const { response } = await watch({ blocks: [shell("a", { command, max_output: 1000, ...T })] });
    const stdout = response.blocks?.a?.outputs.stdout;
    expect(stdout).toContain("left out");
    expect(stdout).not.toContain(canary.slice(0, 5));
  });

  test("when it is ended in the middle of it", async () => {
    const { response } = await watch({
      blocks: [shell("a", { command: 'echo "$T"; sleep 60', ...T }, { timeout: "300ms" })],
    });
    expect(response.blocks?.a?.outputs.stdout).toBe("[secret CANARY]\n");
  });

  test("in files that become outputs, in their keys too", async () => {
    const command = `printf '{"%s": ["%s"]}' "$T" "$T" > out.json; printf %s "$T" > out.txt`;
    const files = { json: { type: "json", path: "out.json" }, text: { path: "out.txt" } };
    const { response, engine } = await watch({ blocks: [shell("a", { command, ...T }, { outputs: files })] });
    expect(response.blocks?.a?.outputs).toMatchObject({
      json: { "[secret CANARY]": ["[secret CANARY]"] },
      text: "[secret CANARY]",
    });
    expect(readFileSync(join(engine.workspace, "out.txt"), "utf8")).toBe(canary);
  });

  test("on its way to other blocks, to questions and to the outputs of the workflow", async () => {
    const { response } = await watch({
      blocks: [
        shell("a", { command: 'printf %s "$T"', ...T }),
        { id: "b", type: "Prompt", inputs: { prompt: "Is it ${blocks.a.stdout}?" }, depends_on: ["a"] },
      ],
      outputs: { said: "${blocks.a.stdout}" },
    });
    expect(response.pending?.[0]?.prompt).toBe("Is it [secret CANARY]?");
  });

  test("also of secrets that the workflow never named", async () => {
    const machine = createMachine();
    writeFileSync(join(machine.workspace, "right"), canary);
    const { response } = await watch({ blocks: [shell("a", { command: "cat right" })] }, { machine });
    expect(response.blocks?.a?.outputs.stdout).toBe("[secret CANARY]");
  });
});

test("what a block logs and throws by itself loses the secret too", async () => {
  const leaky: BlockType = {
    type: "Leaky",
    summary: "Logs its input, a byte at a time, and throws it.",
    inputs: once(() => z.strictObject({ token: z.string() })),
    outputs: once(() => z.strictObject({})),
    secretInputs: ["token"],
    defaultOutputs: {},
    capabilities: [],
    undo: "not_needed",
    onInterrupted: "rerun",
    behaviour: {
      kind: "leaf",
      async run({ token }, { log }) {
        for (const byte of Buffer.from(String(token))) log("stderr", Buffer.of(byte));
        throw new Error(`no use for ${token}`);
      },
    },
  };
  const block = { id: "a", type: "Leaky", inputs: { token: "${secrets.CANARY}" } };
  const { response, shown } = await watch({ blocks: [block] }, { types: [leaky] });
  expect(shown).toBe("[secret CANARY]");
  expect(response.failed_blocks?.[0]?.message).toBe("unexpected error: no use for [secret CANARY]");
});

test("a request carries it in headers and body, and what comes back has lost it", async () => {
  const server = await serve((request, response) => {
    response.setHeader("x-echo", encodeURIComponent(String(request.headers.authorization)));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ you: canary, sent: Buffer.from(`me:${canary}`).toString("base64") }));
  });
  const call = (id: string, inputs: object): object => ({
    id,
    type: "HttpCall",
    inputs: { url: server.url, method: "POST", allow_private: true, ...inputs },
  });
  const plain = "plain-token-91c2";
  const { response, events } = await watch(
    {
      blocks: [
        call("json", { headers: { authorization: "Bearer ${secrets.PLAIN}" }, json: { token: "${secrets.CANARY}" } }),
        call("body", { body: "token=${secrets.CANARY}" }),
      ],
    },
    { secrets: { CANARY: canary, PLAIN: plain } },
  );
  expect(response.status).toBe("success");
  const received = (text: string) => server.requests.find(({ body }) => body.includes(text));
  expect(received("token=")?.body).toBe(`token=${canary}`);
  expect(JSON.parse(received("{")?.body ?? "")).toEqual({ token: canary });
  expect(received("{")?.headers.authorization).toBe(`Bearer ${plain}`);
  expect(response.blocks?.json?.outputs).toMatchObject({ json: { you: "[secret CANARY]" }, status_code: 200 });
  expect(response.blocks?.json?.inputs).toMatchObject({ headers: { authorization: "Bearer ${secrets.PLAIN}" } });
  expect(findSecret(JSON.stringify(events), plain)).toEqual([]);
});

describe("nested workflows", () => {
  const tell = shell("tell", { command: `${isRight}; echo "$T"`, env: { T: "${inputs.token}" } });
  const token = { token: { type: "string", description: "d", secret: true } };
  const inner = { inputs: token, blocks: [tell], outputs: { said: "${blocks.tell.stdout}" } };
  const outer = {
    inputs: token,
    blocks: [{ id: "in", type: "Workflow", inputs: { workflow: "inner", inputs: { token: "${inputs.token}" } } }],
    outputs: { said: "${blocks.in.outputs.said}", given: "${blocks.in.inputs.inputs.token}" },
  };
  const call = (workflow: string, inputs: unknown): Written => ({
    blocks: [{ id: "go", type: "Workflow", inputs: { workflow, inputs } }],
    outputs: { said: "${blocks.go.said}" },
  });

  test("hand a secret down by its reference, at any depth", async () => {
    const machine = createMachine();
    writeFileSync(join(machine.workspace, "right"), canary);
    const { response, events } = await watch(call("outer", { token: "${secrets.CANARY}" }), {
      workflows: { inner, outer },
      machine,
    });
    expect(response.outputs).toEqual({ said: "right\n[secret CANARY]\n" });
    expect(response.blocks?.go?.outputs.given).toBe("${secrets.CANARY}");
    const started = events.filter((event) => event.type === "block-started");
    expect(started.map(({ inside }) => (inside.kind === "workflow" ? inside.inputs : "leaf"))).toEqual([
      { token: "${secrets.CANARY}" },
      { token: "${secrets.CANARY}" },
      "leaf",
    ]);
  });

  test("take no text that only looks like a reference, however it gets there", async () => {
    const late = (inputs: unknown): Written => ({
      inputs: {
        which: { type: "string", description: "d", default: "inner" },
        all: { type: "json", description: "d", default: {} },
      },
      ...(call("${inputs.which}", inputs) as object),
      blocks: [{ id: "go", type: "Workflow", inputs: { workflow: "${inputs.which}", inputs } }],
    });
    const run = async (written: Written, inputs: object = {}) => {
      const engine = createTestEngine({
        secrets: { CANARY: canary },
        workflows: { inner, open: { ...inner, inputs: { token: { type: "string", description: "d" } } } },
      });
      const { response } = await engine.run(written, { inputs: inputs as never });
      return response.failed_blocks?.[0]?.message ?? response.status;
    };
    const forged = "$${secrets.CANARY}";
    expect(await run(late({ token: forged }))).toContain("takes a secret and nothing else");
    expect(await run(late("${inputs.all}"), { all: { token: "${secrets.CANARY}" } })).toContain("must be written out");
    expect(await run(late({ token: "${secrets.CANARY}" }), { which: "open" })).toContain("is not declared for secrets");
    expect(await run(late({ token: "${secrets.CANARY}" }))).toBe("success");
  });

  test("see no value where an input is read as a whole", async () => {
    const engine = {
      inputs: token,
      blocks: [shell("a", { command: "cat", stdin: "${json(inputs)}", env: { T: "${inputs.token}" } })],
      outputs: { said: "${blocks.a.stdout}" },
    };
    const { response } = await watch(call("whole", { token: "${secrets.CANARY}" }), { workflows: { whole: engine } });
    expect(response.outputs).toEqual({ said: '{"token":"${secrets.CANARY}"}' });
  });

  test("a run is given none", async () => {
    const engine = createTestEngine({ secrets: { CANARY: canary } });
    const [problem] = await engine.refusal(inner, { token: "abc" });
    expect(problem).toMatchObject({ code: "secret-input", input: "token" });
    expect(problem?.fix).toContain("${secrets.NAME}");
    expect(await engine.refusal(inner, {})).toMatchObject([{ code: "secret-input" }]);
    const optional = { ...inner, inputs: { token: { ...token.token, required: false } } };
    expect(await engine.refusal(optional, {})).toEqual([]);
    expect(await engine.refusal(optional, { token: "${secrets.CANARY}" })).toMatchObject([{ code: "secret-input" }]);
  });
});

describe("a secret that is missing", () => {
  const needs = (more: object = {}): object =>
    shell("needs", { command: "true", env: { T: "${secrets.OTHER}" } }, more);

  test("keeps a run that can't do without it from starting", async () => {
    const child = { blocks: [needs()] };
    const engine = createTestEngine({ secrets: { CANARY: canary }, workflows: { child } });
    const calls = { blocks: [{ id: "a", type: "Workflow", inputs: { workflow: "child" } }] };
    for (const written of [{ blocks: [needs()] }, calls]) {
      await expect(engine.start(written)).rejects.toThrow("The secret 'OTHER' is missing. Set FROND_SECRET_OTHER");
    }
    expect(await (await engine.engine.platform.journal()).list({})).toEqual([]);
  });

  test.each([
    ["its condition is false", { condition: false }],
    ["its loop is empty", { for_each: [] }],
    ["what it waits for is skipped", { depends_on: ["maybe"] }],
  ])("does not matter when %s", async (_why, more) => {
    const maybe = shell("maybe", { command: "true" }, { condition: false });
    const { response } = await watch({ blocks: [maybe, needs(more)] });
    expect(response.status).toBe("success");
  });

  test("lets the block fail that needs it after all, and names it", async () => {
    const { response } = await watch({ blocks: [needs({ condition: true })] });
    expect(response.failed_blocks).toMatchObject([
      { block: "needs", message: expect.stringContaining("The secret 'OTHER' is missing. Set FROND_SECRET_OTHER") },
    ]);
  });

  test.each([
    ["abc", "has 3 characters, without white space."],
    ["a b  c", "has 3 characters, without white space."],
    ["a", "has one character, without white space."],
  ])("is as bad as one that is too short to be kept out of the record: %j", async (value, says) => {
    const { response } = await watch(
      { blocks: [needs({ condition: true })] },
      { secrets: { CANARY: canary, OTHER: value } },
    );
    expect(response.failed_blocks?.[0]?.message).toContain(says);
  });
});

test("after an engine has died the secret is looked up again, and a new value is used", async () => {
  const machine = createMachine();
  const workflow: Written = {
    blocks: [
      shell(
        "a",
        { command: 'printf %s "$T" > used; echo "$T"; test -e go || sleep 60', env: { T: "${secrets.CANARY}" } },
        { on_interrupted: "rerun" },
      ),
    ],
  };
  const first = createTestEngine({ secrets: { CANARY: "the first value" }, machine });
  const run = await first.start(workflow, { onOutput: () => first.process.die() });
  await expect.poll(() => first.process.isDead).toBe(true);
  writeFileSync(join(machine.workspace, "go"), "");
  const second = createTestEngine({ secrets: { CANARY: canary }, machine });
  const outcome = await (await second.takeOver(run.runId)).settled;
  expect(outcome.response.status).toBe("success");
  expect(readFileSync(join(machine.workspace, "used"), "utf8")).toBe(canary);
  expectNoSecret(second, outcome);
  expect(findSecret(JSON.stringify(outcome.events), "the first value")).toEqual([]);
});
