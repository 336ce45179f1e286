import { type AgentTask, demand } from "./task.ts";

/** A draft as a model that has just read how workflows are written makes it: one habit of other languages is left in it. */
const draft = `
name: three-checks
description: Looks for TODOs, broken JSON and shell scripts that do not parse
blocks:
  - id: todos
    type: Shell
    inputs: { command: "! grep -rn TODO src" }
  - id: json
    type: Shell
    inputs: { command: node -e 'JSON.parse(require("fs").readFileSync("package.json"))' }
  - id: scripts
    type: Shell
    inputs: { command: sh -n deploy.sh }
  - id: summary
    type: Shell
    inputs:
      command: echo "$FAILED failed"
      env: { FAILED: "\${len(filter([blocks.todos.failed, blocks.json.failed, blocks.scripts.failed]))}" }
    depends_on:
      - { block: todos, required: false }
      - { block: json, required: false }
      - { block: scripts, required: false }
outputs:
  summary: \${trim(blocks.summary.stdout)}
`;

export const checksTask: AgentTask = {
  name: "three parallel checks and a summary, inline",
  before: { calls: 14, received: 57_000 },
  async do(agent) {
    agent.write("src/cart.js", "// TODO: prices\n");
    // How a workflow is written; the description of execute_inline_workflow names this call.
    await agent.call("get_workflow_schema");
    // What a command takes and gives.
    await agent.call("get_workflow_schema", { block_type: "Shell" });
    const checked = await agent.call("validate_workflow_yaml", { yaml_content: draft });
    demand(checked.data.valid === false, "the draft is not refused");
    // Functions that there are have been read; what is wrong has been named.
    const flags = ["todos", "json", "scripts"].map((id) => `int(blocks.${id}.failed)`).join(" + ");
    const mended = draft.replace(/len\(filter\(.*?\]\)\)/, flags);
    const ran = await agent.call("execute_inline_workflow", { workflow_yaml: mended });
    demand(ran.data.status === "failure" && ran.data.outputs.summary === "1 failed", "there is no summary");
    demand(ran.text.includes("TODO: prices"), "the reply does not say what the check found");
    // Whether there is more in the log: the reply names this call.
    await agent.follow(ran, "get_run");
  },
};

/** One thing that is wrong: as it stands in the file, and as it is to be. */
interface Mistake {
  readonly wrong: string;
  readonly right: string;
}

const mistakes: readonly Mistake[] = [
  { wrong: "name: Release Check", right: "name: release-check" },
  { wrong: "type: sting", right: "type: string" },
  { wrong: "type: Shel\n", right: "type: Shell\n" },
  { wrong: "needs: [build]", right: "depends_on: [build]" },
  { wrong: "comand: make test", right: "command: make test" },
  { wrong: "depends_on: [buid]", right: "depends_on: [build]" },
  { wrong: "blocks.test.exit_code => 0", right: "blocks.test.exit_code >= 0" },
  { wrong: "blocks.test.stdot", right: "blocks.test.stdout" },
  { wrong: "timeout: 5 minutes", right: "timeout: 5m" },
  { wrong: "${{ inputs.version }}", right: "${inputs.version}" },
];

const planted = `name: Release Check
description: Checks a release and tags it
inputs:
  version:
    type: sting
    description: What is released
blocks:
  - id: build
    type: Shel
    inputs: { command: make }
  - id: test
    type: Shell
    needs: [build]
    inputs:
      comand: make test
  - id: lint
    type: Shell
    depends_on: [buid]
    inputs: { command: make lint }
  - id: report
    type: Shell
    condition: \${blocks.test.exit_code => 0}
    inputs:
      command: echo "\${blocks.test.stdot}"
    depends_on: [test]
  - id: tag
    type: Shell
    timeout: 5 minutes
    inputs:
      command: git tag "v\${{ inputs.version }}"
    depends_on: [report, lint]
outputs:
  passed: \${blocks.test.succeeded}
`;

interface Named {
  readonly line?: number;
}

export const repairTask: AgentTask = {
  name: "repair ten planted mistakes",
  before: { calls: 3, received: 6_800 },
  // One that names them all, and one that finds nothing more.
  mostCalls: 2,
  async do(agent) {
    let text = planted;
    for (let round = 1; ; round++) {
      const { data } = await agent.call("validate_workflow_yaml", { yaml_content: text });
      const named: readonly Named[] = [...(data.errors ?? []), ...(data.warnings ?? [])];
      if (data.valid === true) break;
      demand(round < 10, "it can't be repaired");
      // Only what the reply points at is repaired: who does not know the language sees no other mistake.
      const lines = new Set(named.map(({ line }) => line));
      const seen = mistakes.filter(({ wrong }) => lines.has(lineOf(text, wrong)));
      for (const { wrong, right } of seen) text = text.replace(wrong, right);
    }
    for (const { wrong } of mistakes) demand(!text.includes(wrong), `'${wrong}' was not found`);
  },
};

function lineOf(text: string, part: string): number | undefined {
  const index = text.indexOf(part);
  return index === -1 ? undefined : text.slice(0, index).split("\n").length;
}
