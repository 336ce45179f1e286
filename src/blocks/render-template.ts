import * as z from "zod";
import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type InputProblem,
  type WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import type { ValueMap } from "../expression/value.ts";
import { exclusively, lookForFile, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { createParentsInput, optionalPath, unsafeInput } from "./files/path-inputs.ts";
import { planFile } from "./files/plan-file.ts";
import { decodeText, encodeText } from "./files/text-encoding.ts";
import { mapInput } from "./json/map-input.ts";
import { explainRefusal } from "./template/render-request.ts";
import { render } from "./template/template-engine.ts";
import { type ReadyTemplate, TemplateInput, templateText } from "./template/template-text.ts";

const inputs = () =>
  z.strictObject({
    template: z
      .string()
      .optional()
      .describe(
        "A Jinja2 template: {{ name }} is one of the variables. ${...} in it is a value, never read as a template; one that stands alone is the template itself",
      ),
    template_path: optionalPath("A file that holds the template, in which ${...} is just text"),
    variables: mapInput()
      .default({})
      .describe("What the template can use, by name; maps keep the order in which they are written"),
    strict: z
      .boolean()
      .default(true)
      .describe(
        "A variable that is not defined is a failure; false: it is empty, and only what is asked of it fails, as in it.name",
      ),
    keep_trailing_newline: z
      .boolean()
      .default(false)
      .describe("true: a newline at the end of the template is a part of it; false, as in Jinja2: one is left out"),
    output_path: optionalPath("A file to write the result to"),
    create_parents: createParentsInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    content: z.string().describe("What the template gives, 10 MB at most"),
    rendered: z.string().describe("The same as content"),
    output_path: z.string().describe("Absolute path of the file it was written to, if it was"),
    size_bytes: z.number().int().describe("Bytes of it, in UTF-8"),
  });

const defaultOutputs = { content: "", rendered: "", output_path: "", size_bytes: 0 };

export const renderTemplate: BlockType = defineLeaf({
  type: "RenderTemplate",
  summary:
    "Fills in a Jinja2 template; it can't reach anything but its variables. The result can be written to a file.",
  inputs,
  outputs,
  otherNames: {
    ...{ text: "template", content: "template", source: "template", template_file: "template_path" },
    ...{ context: "variables", vars: "variables", data: "variables", values: "variables" },
    ...{ output: "output_path", output_file: "output_path", to: "output_path", destination: "output_path" },
  },
  languages: { template: templateText },
  defaultOutputs,
  defaultTimeout: 30,
  capabilities: ["reads files", "writes files"],
  pure: ({ template_path: from, output_path: to }) => from === undefined && to === undefined,
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "output_path", content: ["template", "template_path", "variables"] },
  check,
  verify,
  run,
});

type Inputs = InputsOf<typeof inputs>;

function check({ template, template_path: path }: WrittenInputs): InputProblem[] {
  const problems: InputProblem[] = [];
  if ((template === undefined) === (path === undefined)) {
    const isNeither = template === undefined;
    problems.push({
      code: "template-or-path",
      level: "error",
      message: isNeither ? needsTemplate : "RenderTemplate takes either template or template_path, not both.",
      fix: isNeither ? "Add `template:` (its text) or `template_path:` (a file)." : "Remove one of them.",
    });
  }
  return problems;
}

const needsTemplate = "RenderTemplate needs a template.";
const longestVerificationMs = 5_000;

/** Whether it is a template at all; what its variables are is known later. */
async function verify({ template }: WrittenInputs): Promise<InputProblem[]> {
  if (template?.known !== false || !(template.compiled instanceof TemplateInput) || template.compiled.isValue)
    return [];
  const request = {
    source: template.compiled.source,
    variables: {},
    strict: true,
    keepsLastNewline: false,
    onlyParse: true,
  };
  // What can't be checked in time is found out when it runs.
  const answer = await render(request, AbortSignal.timeout(longestVerificationMs)).catch(() => undefined);
  if (answer === undefined || answer.kind === "rendered") return [];
  const message = `the template can't be read: ${explainRefusal(answer)}.`;
  return [{ code: "template-syntax", level: "error", message, input: "template" }];
}

const mostContentBytes = 10_000_000;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const { output_path: path, unsafe } = input;
  if (path !== undefined) refuseDirectoryName(path);
  const at = path === undefined ? undefined : files.locateForChange(path, unsafe);
  return settleOperation(defaultOutputs, async () => {
    const content = await renderContent(input, context);
    const bytes = encodeText(content, "utf-8");
    if (!bytes.ok) throw new OperationFailed(`the result ${bytes.error}`);
    const made = { content, rendered: content, output_path: "", size_bytes: bytes.value.length };
    if (at === undefined) return made;
    return exclusively(files, [at], async () => {
      const changes = await planFile(files, at, bytes.value, input.create_parents);
      return makeChanges(context, changes, { ...made, output_path: absolutePath(at) });
    });
  });
}

async function renderContent(input: Inputs, context: BlockContext): Promise<string> {
  const { source, values } = await readTemplate(input, context);
  const variables: ValueMap = Object.assign(Object.create(null), input.variables, values);
  const request = { source, variables, strict: input.strict, keepsLastNewline: input.keep_trailing_newline };
  const answer = await render(request, context.signal);
  const name = input.template_path === undefined ? "the template" : `'${input.template_path}'`;
  if (answer.kind !== "rendered") throw new OperationFailed(`${name} does not render: ${explainRefusal(answer)}`);
  if (Buffer.byteLength(answer.content) <= mostContentBytes) return answer.content;
  throw new OperationFailed(`${name} gives more than ${mostContentBytes.toLocaleString("en-US")} bytes`);
}

async function readTemplate(input: Inputs, context: BlockContext): Promise<ReadyTemplate> {
  if (input.template !== undefined) return context.compiled("template") as ReadyTemplate;
  if (input.template_path === undefined) throw new BlockCannotRun(needsTemplate);
  const at = context.files.locate(input.template_path, input.unsafe);
  await lookForFile(context.files, at);
  const { bytes } = orFail(await context.files.read(at, mostContentBytes));
  const text = decodeText(bytes, "utf-8");
  if (!text.ok) throw new OperationFailed(`'${shownPath(at)}' ${text.error}`);
  return { source: text.value, values: {} };
}
