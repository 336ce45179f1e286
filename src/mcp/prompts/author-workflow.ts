import { ok } from "../../util/result.ts";
import type { Prompt } from "../prompt.ts";
import type { ServerContext } from "../server-context.ts";

export const authorWorkflow: Prompt = {
  name: "author_workflow",
  title: "Write a workflow",
  description:
    "How to write a workflow for a goal: the language in brief, the block types, an example, and the calls that check and run it.",
  arguments: [{ name: "goal", description: "What the workflow is to do" }],
  write: ({ goal = "" }, context) =>
    ok([`Write a Frond workflow for this goal:\n\n${goal.trim()}`, ...guide(context)].join("\n\n")),
};

function guide({ catalog, settings }: ServerContext): readonly string[] {
  const types = [...catalog.types].sort((one, other) => (one.type < other.type ? -1 : 1));
  return [
    `## The language\n\n${language}`,
    `## Block types\n\n${types.map(({ type, summary }) => `- ${type}: ${summary}`).join("\n")}\n\nget_workflow_schema({"block_type": "..."}) tells what one takes and gives: call it for each type that you use.`,
    `## An example\n\n\`\`\`yaml\n${exampleWorkflow}\`\`\``,
    `## How to go about it\n\n${steps(settings.allowsInline && !settings.isReadOnly)}`,
  ];
}

const language = `- One YAML document with \`name\` (lower-case words joined by hyphens), \`description\`, \`blocks\`, and \`inputs\` and \`outputs\` if there are any. Unknown keys are errors.
- A block has \`id\` (lower-case letters, digits, _), \`type\`, \`inputs\`, and if needed \`depends_on\`, \`condition\`, \`for_each\`, \`repeat\`, \`retry\`, \`expect\`, \`timeout\`, \`on_interrupted\`.
- Blocks run at the same time unless one depends on the other: \`depends_on: [a, { block: b, required: false }]\`. A block whose required dependency failed is skipped.
- \`\${...}\` is an expression: \`inputs.NAME\`, \`blocks.ID.FIELD\` for an output, \`blocks.ID.succeeded\`, \`.failed\`, \`.skipped\`, \`.error\`; \`each.value\`, \`each.key\` and \`each.index\` in a loop; operators like \`and or not == in +\`; functions like \`trim len join default json\`, and \`pluck(blocks.LOOP.results, 'stdout')\` for a loop. \`vars:\` names an expression that is used more than once: \`vars.NAME\`.
- A condition that says how a block went decides alone: \`condition: \${blocks.test.failed}\` runs exactly then, and the failure counts as handled.
- In a Shell command each \`\${inputs.x}\` is handed over as a variable, never as text of the command; for anything computed use \`env:\`. \`stdout\` keeps its last newline: \`\${trim(blocks.x.stdout)}\`.
- \`for_each: \${inputs.files}\` runs a block once for each element; its outputs are \`results\`, \`count\` and \`failed_keys\`.
- A block that has \`blocks:\` instead of \`type:\` holds them, so that \`for_each\`, \`retry\`, \`condition\` or \`timeout\` are for all of them; its \`outputs\` are written like those of a workflow.
- \`retry: 3\` tries a failing block again; \`expect: { condition: "\${this.stdout} != ''" }\` says what a success is; \`repeat: { max: 30, until: "\${this.json.state} == 'done'", delay: 10s }\` asks until something is so; a Wait block waits.
- To ask: a Prompt block, with \`audience: human\` where only a person may decide, before anything that can't be taken back.
- Prefer the block types for files, JSON, HTTP and git to commands that do the same.`;

/** Shown to models as it is, so that it is checked and run by a test. */
const exampleWorkflow = `name: survey-project
description: Looks at a project in two ways at once and writes down what it finds
inputs:
  report: { type: string, description: File to write, default: survey.md }
blocks:
  - id: files
    type: Shell
    inputs: { command: "find . -type f -not -path '*/.*' | wc -l" }
  - id: newest
    type: Shell
    inputs: { command: ls -t | head -n 3 }
  - id: write
    type: CreateFile
    inputs:
      path: \${inputs.report}
      content: |
        Files: \${trim(blocks.files.stdout)}
        Newest: \${join(split(trim(blocks.newest.stdout), '\\n'), ', ')}
    depends_on: [files, newest]
  - id: complain
    type: Shell
    inputs: { command: 'echo "the files could not be counted: \${blocks.files.error}"' }
    condition: \${blocks.files.failed}
    depends_on: [files]
outputs:
  report: \${blocks.write.path}
  files: { value: "\${trim(blocks.files.stdout)}", type: integer }
`;

function steps(mayRunText: boolean): string {
  const lines = [
    "Find out with list_workflows whether there is one already, or one to call as a block (ExecuteWorkflow).",
    "Write the YAML.",
    "Call validate_workflow_yaml with it, and mend everything it names, warnings and hints too.",
    mayRunText
      ? "Call execute_inline_workflow with it, with harmless inputs first, and read the reply."
      : "This server runs no workflow that is sent as text: show it to the person, who can save and run it.",
    mayRunText
      ? "To keep it, call save_workflow with it: execute_workflow then runs it by its name."
      : "To keep it, save it as `.frond/workflows/NAME.yaml` in the project; once a person has looked at it and run `frond trust` there, execute_workflow runs it by its name. Every later change needs that again.",
  ];
  return lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
}
