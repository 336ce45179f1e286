import { compileAnswerSchema } from "../../block/answer-schema.ts";
import type { InputProblem, Written, WrittenInputs } from "../../block/define-block.ts";
import { isMap } from "../../expression/value.ts";
import { checkAddress } from "../http/check-http-call.ts";
import { findMissing, findModel } from "./providers.ts";

/** What can be said of a call before it runs. */
export function checkLlmCall(written: WrittenInputs): InputProblem[] {
  return [...checkModel(written), ...checkAddress(written, "base_url"), ...checkSchema(written.schema)];
}

function checkModel({ model, api_key: key, base_url: baseUrl }: WrittenInputs): InputProblem[] {
  if (!model?.known || typeof model.value !== "string") return [];
  const found = findModel(model.value);
  if (!found.ok) {
    const fix = suggestModel(model.value);
    return [{ code: "unknown-model", level: "error", message: `${found.error}.`, fix, input: "model" }];
  }
  const missing = findMissing(found.value, { key: isGiven(key), baseUrl: isGiven(baseUrl) });
  if (missing === undefined) return [];
  const { input, message, fix } = missing;
  return [{ code: `missing-${input.replace("_", "-")}`, level: "error", message, fix, input: "model" }];
}

/** Of a name alone, by what models of each provider are called. */
function suggestModel(name: string): string {
  const bare = name.replace(/^.*\//, "");
  if (/^claude/.test(bare)) return `Write \`model: anthropic/${bare}\`.`;
  if (/^(gpt|o\d|chatgpt)/.test(bare)) return `Write \`model: openai/${bare}\`.`;
  return `Write \`model: openai-compatible/${bare}\` with the server's base_url, or another provider.`;
}

function isGiven(written: Written | undefined): boolean {
  return written !== undefined && !(written.known && (written.value === null || written.value === ""));
}

function checkSchema(schema: Written | undefined): InputProblem[] {
  if (!schema?.known || !isMap(schema.value)) return [];
  const compiled = compileAnswerSchema(schema.value);
  if (compiled.ok) return [];
  const message = `the schema of the answer can't be used: ${compiled.error}.`;
  return [{ code: "bad-answer-schema", level: "error", message, input: "schema" }];
}
