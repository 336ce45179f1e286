import { expect, test } from "vitest";
import { createFrond, type Frond, workflow } from "../rig/frond.ts";
import { createRepository } from "../rig/git-repository.ts";
import { type ModelServer, say, serveModel } from "../rig/model-server.ts";

const env = { FROND_SECRET_KEY: "sk-kanarienvogel" };

/** Asks a model of which Frond knows the price, one of which it knows nothing, and says what they cost. */
function createAsking({ baseUrl }: ModelServer): Frond {
  const ask = (id: string, model: string): object => ({
    id,
    type: "LLMCall",
    inputs: { model, prompt: "Hi", api_key: "${secrets.KEY}", base_url: baseUrl, allow_private: true },
  });
  return createFrond({
    "flow.yaml": workflow("flow", [ask("known", "anthropic/claude-sonnet-4-5"), ask("new", "anthropic/new")], {
      outputs: { known: "${blocks.known.cost_usd}", new: "${blocks.new.cost_usd}" },
    }),
  });
}

async function costsOf(frond: Frond, more: Record<string, string> = {}): Promise<unknown> {
  const { reply } = await frond.json(["run", "flow.yaml", "--json"], { env: { ...env, ...more } });
  return (reply as { outputs: unknown }).outputs;
}

const million = { tokensIn: 1_000_000, tokensOut: 100_000 };

test("a price comes from the table, one that is not there is unknown, and the user's file goes before both", async () => {
  const frond = createAsking(await serveModel(say("hello", million)));
  expect(await costsOf(frond)).toEqual({ known: 4.5, new: null });
  frond.write("../home/.frond/prices.yaml", "anthropic/new: { input: 1, output: 1 }\n");
  expect(await costsOf(frond)).toEqual({ known: 4.5, new: 1.1 });
  frond.write("mine.yaml", "anthropic/claude-sonnet-4-5: { input: 2, output: 10 }\n");
  expect(await costsOf(frond, { FROND_PRICES_FILE: "mine.yaml" })).toEqual({ known: 3, new: null });
});

test("a file of prices that can't be used is a warning that names the line and the field", async () => {
  const frond = createAsking(await serveModel(say("hello", million)));
  frond.write("mine.yaml", "# prices\nanthropic/new: { input: 1, outptu: 2 }\n");
  const { stderr } = await frond.run(["run", "flow.yaml"], { env: { ...env, FROND_PRICES_FILE: "mine.yaml" } });
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("mine.yaml:2: the price of 'anthropic/new' has no field 'outptu'.");
  const missing = await frond.run(["run", "flow.yaml"], { env: { ...env, FROND_PRICES_FILE: "gone.yaml" } });
  expect(missing.stderr.replaceAll(/\s+/g, " ")).toContain("The prices in gone.yaml can't be read:");
});

test("the workflow that has changes reviewed gives what a model of this machine says, and shows it the diff", async () => {
  const review = { verdict: "comment", summary: "Fine.", findings: [] };
  const server = await serveModel(say(`Here it is:\n${JSON.stringify(review)}`), say(JSON.stringify(review)));
  const frond = createFrond({ "a.txt": "one\n" });
  createRepository(frond.directory);
  frond.write("a.txt", "one\ntwo\n");
  const args = ["model=openai-compatible/m", `local_port=${server.port}`, "base=HEAD"].flatMap((input) => [
    "--input",
    input,
  ]);
  const { reply } = await frond.json(["run", "review-with-model", ...args, "--json"]);
  expect(reply).toMatchObject({ status: "success", outputs: { ...review, cost_usd: null } });
  expect(server.calls[0]?.messages.at(-1)?.content).toContain("+two");
  // What it put around its answer was sent back.
  expect(server.calls).toHaveLength(2);
});

test("the answer shows in the log of the block", async () => {
  const frond = createAsking(await serveModel(say("The answer is 42.", million)));
  await frond.run(["run", "flow.yaml"], { env });
  const { stdout } = await frond.run(["logs", "last", "known"]);
  expect(stdout).toContain("The answer is 42.");
});
