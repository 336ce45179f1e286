import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { TemplateProblem } from "./jinja/data.ts";
import { parseTemplateText } from "./jinja/parse-statements.ts";
import { Renderer } from "./jinja/render.ts";
import { TemplateSyntaxProblem } from "./jinja/token-reader.ts";
import type { RenderAnswer, RenderRequest, ThreadAnswer } from "./render-request.ts";

/** A thread that has needed more is not kept for the next template. */
const mostKeptBytes = 64_000_000;

/** The program of a thread that renders templates, one after the other. */
parentPort?.on("message", (request: RenderRequest) => {
  const answer = perform(request);
  const isReusable = answer.kind !== "exhausted" && getHeapStatistics().used_heap_size <= mostKeptBytes;
  parentPort?.postMessage({ answer, isReusable } satisfies ThreadAnswer);
});

function perform({ source, variables, strict, keepsLastNewline, onlyParse }: RenderRequest): RenderAnswer {
  const renderer = new Renderer(strict, () => getHeapStatistics().used_heap_size);
  try {
    const body = parseTemplateText(source, keepsLastNewline);
    return { kind: "rendered", content: onlyParse ? "" : renderer.render(body, variables) };
  } catch (error) {
    // What is too deep for the stack, or too long for a text.
    if (error instanceof RangeError) return { kind: "exhausted" };
    if (!(error instanceof TemplateProblem)) throw error;
    const line = error instanceof TemplateSyntaxProblem ? error.line : renderer.line;
    return { kind: "refused", message: error.message, line };
  }
}
