// The tools, prompts and resources of the server as a page of Markdown, and as a table for the README.

export function toolTable({ tools }, page) {
  const rows = tools.map(({ name, description }) => [`[\`${name}\`](${page}#${name})`, firstSentence(description)]);
  return table(["tool", "what it does"], rows);
}

export function toolsPage(server) {
  const { tools, prompts, resources, templates, examples } = server;
  return `${[
    "# The tools of the MCP server",
    "What `frond serve` offers, as clients see it, with a real call and reply of each. How to wait, answer and approve: [mcp.md](mcp.md). A reply is the tool's `structuredContent`, and the same as compact JSON text; logs, single values and the page on the language are plain text alone; what is long is cut here, not there. An argument without a default that is not marked optional is required; unknown ones are refused.",
    table(
      ["tool", "toolset", "changes", ""],
      tools.map((tool) => [
        `[\`${tool.name}\`](#${tool.name})`,
        tool.toolset,
        describeEffect(tool.annotations),
        tool.title,
      ]),
    ),
    ...tools.map((tool) => describeTool(tool, examples.get(tool.name))),
    "## Prompts",
    table(
      ["prompt", "arguments", ""],
      prompts.map(({ name, arguments: args, description }) => [
        `\`${name}\``,
        args.map((argument) => `\`${argument.name}\``).join(", "),
        description,
      ]),
    ),
    "## Resources",
    table(
      ["resource", "type", ""],
      [...resources, ...templates].map(({ uri, uriTemplate, mimeType, description }) => [
        `\`${uri ?? uriTemplate}\``,
        mimeType,
        description,
      ]),
    ),
    "Workflows and the newest runs are listed, too. Names and ids in braces, and the argument of `workflow_help`, are completed.",
  ].join("\n\n")}\n`;
}

function describeTool({ name, title, description, toolset, inputSchema, annotations }, example) {
  if (example === undefined)
    throw new Error(`There is no example of ${name}: add one to scripts/docs/example-calls.js.`);
  const parameters = Object.entries(inputSchema.properties ?? {});
  const reply = cut(typeof example.reply === "string" ? example.reply.trimEnd() : format(example.reply));
  // One that holds a fence itself needs a longer one around it.
  const fence = reply.includes("```") ? "````" : "```";
  return [
    `## ${name}`,
    `**${title}.** ${description}`,
    `Toolset: ${toolset}${toolset === "plans" ? ", which `--toolsets` has to name" : ""}. ${describeHints(annotations)}`,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ["argument", "type", "default", ""],
            parameters.map(([argument, schema]) => [
              `\`${argument}\``,
              describeType(schema),
              describeDefault(argument, schema, inputSchema.required ?? []),
              schema.description ?? "",
            ]),
          ),
        ]),
    `${fence}jsonc\n// ${name}\n${cut(format(example.args))}\n// gives\n${reply}\n${fence}`,
  ].join("\n\n");
}

function describeDefault(argument, schema, required) {
  if (schema.default !== undefined) return `\`${JSON.stringify(schema.default)}\``;
  return required.includes(argument) ? "" : "optional";
}

function describeType({ type, enum: choices, items, minimum, maximum }) {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  const range = minimum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? `, ${minimum} to ${maximum}` : "";
  if (items !== undefined) return `${type} of ${describeType(items)}`;
  return `${type ?? "any"}${range}`;
}

function describeEffect({ readOnlyHint, openWorldHint }) {
  if (readOnlyHint) return "nothing";
  return openWorldHint ? "whatever the workflow does" : "the run";
}

function describeHints(annotations) {
  return `Annotations: ${Object.entries(annotations)
    .map(([hint, value]) => `\`${hint}: ${value}\``)
    .join(", ")}.`;
}

function firstSentence(text) {
  return /^.*?[.;:](?= |$)/s.exec(text)[0].replace(/[.;:]$/, "");
}

const longestLine = 110;
const mostLines = 40;

/** JSON in which what fits on a line stands on one. */
function format(value, indent = "") {
  const whole = JSON.stringify(value);
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || indent.length + whole.length <= longestLine) return spaced(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${format(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${format(item, inner)}`);
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function cut(text) {
  const lines = text.split("\n");
  if (lines.length <= mostLines) return text;
  return [...lines.slice(0, mostLines), `// and ${lines.length - mostLines} more lines`].join("\n");
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(heads), `|${"---|".repeat(heads.length)}`, ...rows.map(line)].join("\n");
}
