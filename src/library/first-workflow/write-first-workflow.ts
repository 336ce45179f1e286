import type { FirstSteps, Step } from "./project-kind.ts";

/** Where editors find what the keys of a file are, from the directory of workflows. */
const schemaLine = (file: string): string => `# yaml-language-server: $schema=../schema/${file}`;

export const schemaFiles = { workflow: "workflow.schema.json", test: "test.schema.json" } as const;

/** The text of a first workflow, written as a person would write it. */
export function writeFirstWorkflow(name: string, { description, steps, env }: FirstSteps): string {
  const variables = Object.entries(env ?? {});
  return [
    schemaLine(schemaFiles.workflow),
    "# Blocks run at the same time, except that each waits for those it depends on.",
    `name: ${name}`,
    `description: ${scalar(description)}`,
    ...(variables.length === 0
      ? []
      : ["env:", ...variables.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`)]),
    "blocks:",
    ...steps.flatMap(writeStep),
    "",
  ].join("\n");
}

function writeStep({ id, description, command, after = [] }: Step): readonly string[] {
  return [
    `  - id: ${id}`,
    `    description: ${scalar(description)}`,
    "    type: Shell",
    "    inputs:",
    `      command: ${isPlain(command) ? command : `|\n        ${command}`}`,
    ...(after.length === 0 ? [] : [`    depends_on: [${after.join(", ")}]`]),
  ];
}

/** Whether a text needs no quotes in YAML. */
function isPlain(text: string): boolean {
  return /^[A-Za-z][^:#"'\\]*$/.test(text);
}

function scalar(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

/** Its test: no command is really run, so that it passes wherever it is run. */
export function writeFirstTest({ steps }: FirstSteps): string {
  const ids = steps.map(({ id }) => id);
  const failing = steps.find(({ id }) => steps.some(({ after }) => after?.includes(id))) ?? steps[0];
  const waiting = steps.filter(({ after }) => after?.includes(failing?.id ?? "")).map(({ id }) => id);
  const skipped = waiting.map((id) => `${id}: skipped`);
  return [
    schemaLine(schemaFiles.test),
    "# A mock stands for a block, which then does not run. Without one it runs in a directory of its own.",
    "cases:",
    "  - name: succeeds when every block does",
    '    mocks: { "*": {} }',
    "    expect:",
    "      status: success",
    `      blocks: { ${ids.map((id) => `${id}: succeeded`).join(", ")} }`,
    "",
    `  - name: fails when ${failing?.id} fails${waiting.length === 0 ? "" : ", and skips what depends on it"}`,
    `    mocks: { "*": {}, ${failing?.id}: { fails: something is wrong } }`,
    "    expect:",
    "      status: failure",
    "      error: { contains: something is wrong }",
    ...(skipped.length === 0 ? [] : [`      blocks: { ${skipped.join(", ")} }`]),
    "",
  ].join("\n");
}
