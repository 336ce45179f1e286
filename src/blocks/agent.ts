import * as z from "zod";
import type { BlockType } from "../block/define-block.ts";
import { defineLeaf } from "../block/define-leaf.ts";
import type { ValueMap } from "../expression/value.ts";
import { accessLevels } from "./agent/agent-program.ts";
import { agentPrograms } from "./agent/agent-programs.ts";
import { agentCommands, checkAgent, checkAgentValues } from "./agent/check-agent.ts";
import { overloadedModel } from "./agent/overload.ts";
import { runAgent, transcriptOf } from "./agent/run-agent.ts";
import { textInput } from "./text-input.ts";

const names = agentPrograms.map(({ name }) => name);

const inputs = () =>
  z.strictObject({
    agent: z.enum(names).describe("Which program works; it has to be installed"),
    prompt: z.string().min(1).describe("What it is to do; given to its standard input"),
    model: z.string().default("").describe("As the program names it; empty: what the program is set to"),
    access: z
      .enum(accessLevels)
      .default("edit")
      .describe("read: it reads files; edit: it also changes files; full: it does anything, without asking"),
    allowed_tools: z
      .array(z.string().min(1))
      .default([])
      .describe('Tools that it may use beside that, as the program names them: "Bash(npm test)"'),
    working_dir: z
      .string()
      .default("")
      .describe("Directory to work in, relative to the workspace and inside it; default: the workspace"),
    max_turns: z.number().int().min(1).optional().describe("It fails when it needs more turns than this"),
    budget_usd: z
      .number()
      .positive()
      .optional()
      .describe("US dollars that it may cost at most; needed under a budget with max_cost_usd"),
    session: z
      .string()
      .default("")
      .describe("The session_id of an earlier block, whose conversation goes on; empty: a new one"),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("JSON Schema of the final answer, which is then given as json; one that does not fit is a failure"),
    env: z.record(z.string(), textInput()).default({}).describe("Environment variables to add, such as its API key"),
    program: z
      .string()
      .min(1)
      .optional()
      .describe("Another installation: an absolute path, or a name on PATH, written out; default: the agent's name"),
  });

const outputs = () =>
  z.strictObject({
    text: z.string().describe("What it said last"),
    json: z.unknown().describe("The final answer as data, with schema; else null"),
    cost_usd: z.number().nullable().describe("What it has cost; null when nobody knows"),
    tokens_in: z.number().int().nullable().describe("Tokens that it has sent to models, also those from a cache"),
    tokens_out: z.number().int().nullable().describe("Tokens that models have written"),
    session_id: z.string().describe("Goes on with `session` of another block; empty when it began none"),
    transcript: z.string().describe("Where its log is: the id of the run and the address of the block"),
    turns: z.number().int().nullable().describe("How often it has asked the model; null when it does not tell"),
    exit_code: z.number().int().describe("Of the program; -1 when it did not run"),
  });

const nothing: ValueMap = {
  ...{ text: "", json: null, cost_usd: null, tokens_in: null, tokens_out: null },
  ...{ session_id: "", transcript: "", turns: null, exit_code: -1 },
};

export const agent: BlockType = defineLeaf({
  type: "Agent",
  summary: "Lets a coding agent work in the workspace; claude, codex, gemini or opencode, as it is installed.",
  inputs,
  outputs,
  otherNames: {
    ...{ task: "prompt", instructions: "prompt", message: "prompt", provider: "agent", cli: "agent" },
    ...{ cwd: "working_dir", directory: "working_dir", tools: "allowed_tools", permission_mode: "access" },
    ...{ resume: "session", session_id: "session", json_schema: "schema", max_cost_usd: "budget_usd" },
  },
  // Agents keep what they are told in files of their own, so a secret does not belong into a prompt.
  secretInputs: ["env"],
  envInput: "env",
  defaultOutputs: nothing,
  stateOutputs: { exit_code: 0 },
  sandbox: true,
  effects: true,
  defaultTimeout: 1800,
  timeoutInput: { name: "timeout", unit: "s" },
  // Beyond the program's own attempts, which take a minute or two.
  defaultRetry: { attempts: 3, delay: 30, messages: [overloadedModel] },
  capabilities: ["commands", "reads files", "writes files", "network"],
  undo: "irreversible",
  onInterrupted: "ask",
  // Without it the price is unknown, and so it does not start where costs are limited.
  estimate: ({ budget_usd: usd }) => (typeof usd === "number" ? { usd } : {}),
  check: checkAgent,
  checkValues: checkAgentValues,
  programs: agentCommands,
  run: runAgent,
  // What it said is lost but for its log; that it went well is what somebody says.
  adopt: async (_, __, context) => ({
    kind: "succeeded",
    outputs: { ...nothing, exit_code: 0, transcript: transcriptOf(context) },
  }),
});
