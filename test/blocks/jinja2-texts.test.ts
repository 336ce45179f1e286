import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { parseTemplateText } from "../../src/blocks/template/jinja/parse-statements.ts";
import { Renderer } from "../../src/blocks/template/jinja/render.ts";
import found from "./jinja2-texts.json" with { type: "json" };

const texts = found.texts.map(([template = "", text = ""]) => [template, text] as const);

test.each(texts)("%j gives the text that Jinja2 gives", (template, text) => {
  expect(new Renderer(true).render(parseTemplateText(template, false), found.variables)).toBe(text);
});

/** Prints what Jinja2 gives, as a list of texts. */
const program = `
import copy, json, sys, jinja2
given = json.load(sys.stdin)
environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
json.dump([environment.from_string(template).render(**copy.deepcopy(given["variables"])) for template, _ in given["texts"]], sys.stdout)
`;

const hasJinja2 = spawnSync("python3", ["-c", "import jinja2"]).status === 0;

test.skipIf(!hasJinja2)("the texts are those that Jinja2 gives, where there is one to ask", () => {
  const printed = execFileSync("python3", ["-c", program], { input: JSON.stringify(found), encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(texts.map(([, text]) => text));
});
