import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import type { FunctionDefinition } from "../expression/function-definition.ts";
import { functions } from "../expression/functions.ts";
import { exampleWorkflows } from "./language-examples.ts";

/**
 * The language on a page, for a model that knows nothing of it. What can be listed is made of what there is; a test sees to it that
 * every key is named.
 */
export function writeLanguagePage(catalog: Catalog): string {
  const types = [...catalog.types].sort((one, other) => (one.type < other.type ? -1 : 1));
  return [
    `## A workflow file\n\n${fileShape}`,
    `## Block types: inputs that are needed -> outputs\n\n${types.map(describeType).join("\n")}`,
    `## Expressions\n\n${expressions}\n\n${describeFunctions()}`,
    `## What runs, and what becomes of the run\n\n${outcomes}`,
    `## Examples\n\n${exampleWorkflows.map((text) => `\`\`\`yaml\n${text}\`\`\``).join("\n")}`,
  ].join("\n\n");
}

/** Of a type that gives more than this, the first few; its own page has them all. */
const mostOutputs = 4;

/** Where nothing is needed in any case, one of the first two is. */
function describeType({ type, summary, inputs, outputs }: BlockType): string {
  const { shape } = inputs();
  const names = Object.keys(shape);
  const needed = names.filter((name) => !shape[name]?.safeParse(undefined).success);
  const taken = needed.length === 0 ? names.slice(0, 2).join(" or ") : needed.join(", ");
  const all = Object.keys(outputs().shape);
  const shown = all.length > mostOutputs ? [...all.slice(0, mostOutputs - 1), "..."] : all;
  const given = shown.join(", ") || "what that gives";
  return `- ${type}(${taken}) -> ${given}: ${/^[^.;]*/.exec(summary)?.[0]}`;
}

/** What a name says as well needs no more words. */
const shortestDoc = 58;

function describeFunctions(): string {
  const all = [...functions.values()];
  const isPlain = ({ doc }: FunctionDefinition): boolean => doc.length < shortestDoc;
  const explained = all.filter((one) => !isPlain(one)).map((one) => `- ${signatureOf(one)}: ${one.doc}`);
  const plain = all.filter(isPlain).map(signatureOf);
  return `These are all the functions:\n${explained.join("\n")}\n- ${plain.join(", ")}`;
}

function signatureOf({ name, parameters, returns }: FunctionDefinition): string {
  const taken = parameters.map((parameter) => `${parameter.name}${parameter.optional === true ? "?" : ""}`);
  return `${name}(${taken.join(", ")}) -> ${returns}`;
}

const fileShape = `\`\`\`yaml
name: build-and-test  # lower-case words joined by hyphens
description: What it does
inputs:  # type: string, integer, number, boolean, array, object or json; required unless it has a default
  env: { type: string, description: Where to, enum: [staging, live], default: staging }  # also pattern, minimum, maximum, secret
  files: { type: array, description: What to build, items: { type: string }, default: [a.c] }
vars: { is_live: "\${inputs.env} == 'live'" }  # names for expressions: \${vars.is_live}
env: { CI: "1" }  # variables for all Shell commands
blocks:  # run at the same time unless they depend on each other
  - { id: lint, type: Shell, inputs: { command: make lint } }
  - id: build  # lower-case letters, digits, _
    type: Shell
    inputs: { command: './check "\${each.value}" > "$SCRATCH/report.json"' }  # inside { } and [ ], quote what holds \${...}
    depends_on: [{ block: lint, required: false }]  # or [lint]
    condition: \${vars.is_live}  # skipped unless true
    timeout: 5m
    retry: { attempts: 3, delay: 2s }  # or retry: 3
    expect: { exit_code: [0, 3], condition: "\${this.stderr} == ''" }  # what a success is
    for_each: \${inputs.files}  # a list or map; also for_each_mode: sequential, max_parallel: 5, on_error: stop
    outputs: { report: { type: json, path: "$SCRATCH/report.json" } }  # files that a Shell block writes, as outputs
finally: [{ id: clean, type: Shell, inputs: { command: make clean } }]  # at the end, whatever happened; reads \${run.status}, \${run.message}
outputs: { built: "\${blocks.build.succeeded}", count: { value: "\${len(blocks.build.results)}", type: integer } }
\`\`\`

Unknown keys are errors. Other keys of a workflow: version, author, tags, max_parallel, timeout, finally_timeout, sandbox, expose, on_failure, budget; for workers runs_on, workspace, schedule, concurrency; of a block: description, cost ({ usd: 1 }), budget, repeat, allow_failure, on_failure (stop, rollback, rollback_block), effects (observe, isolated, none), writes, undoes, on_interrupted (rerun, ask, fail), reuse (false: runs in every rerun), sandbox.
- A block with \`blocks:\` instead of \`type:\` is a group: for_each, retry, condition, timeout are for all of it; its \`outputs\` are written like a workflow's.
- A loop gives results (a list of outputs), count, failed_keys, failed_elements. Inside: \${each.value}, each.key, each.index, each.count; each.outer in a loop in a loop; each.previous when sequential. One pass: \${blocks.LOOP.blocks['0'].stdout}.
- \`repeat: { max: 30, until: "\${this.json.state} == 'done'", delay: 10s }\` runs a block until something is so; \${blocks.ID.last.FIELD}.
- ExecuteWorkflow calls another workflow: \`inputs: { workflow: NAME, inputs: { ... } }\`; its outputs are the block's.
- \`on_failure: rollback\` undoes what the run did to files, by commands too, when a block fails. What else a block did its \`undo: { type: ..., inputs: ... }\` takes back, a block that reads \${block.inputs.X}, block.outputs.X, block.attempt.outcome. No way back past \`commit_point: true\`.
- In a command a \${...} reference arrives as one safe word, quoted or not; it is never shell text. What is computed goes through \`env\`: \`{ command: 'echo "$N"', env: { N: "\${len(inputs.files)}" } }\`. Other \${X} and $X are the shell's own.`;

const expressions = `\${inputs.x}, \${blocks.ID.FIELD} (an output), \${blocks.ID.succeeded}, .failed, .skipped, .error, .exit_code; blocks.GROUP.blocks.ID.FIELD; vars.x; secrets.X; metadata.run_id, .workflow_name, .start_time, .attempt. Operators: a if c else b, or, and, not, == != < <= > >=, in, not in, + - * / %, [0], ['key'], .name. Literals: 'text', 1, true, null, [1, 2].
A value that is one \${...} keeps its type; inside a text it is written as text. stdout keeps its last newline: trim(). There is no map or filter with a condition: pluck and where.`;

const outcomes = `- Reading a block waits for it. A block runs when all it depends on has succeeded; if one failed or was skipped, it is skipped.
- \`required: false\` only orders: it also runs after a failure, and the failure still counts. A condition about how a block went (\`condition: \${blocks.test.failed}\`) decides alone.
- The run fails if any block failed, unless that block says \`allow_failure: true\`, or another block ran because of the failure and its outputs are used (a fallback). Clean-up and notices belong under \`finally\`.`;
