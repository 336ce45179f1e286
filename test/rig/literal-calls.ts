/** A call as replies write it: `get_run({"run_id":"run_1"})`. */
export interface LiteralCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls that a text names literally, in its order. What looks like one and holds no JSON is an error: nobody could make it. */
export function literalCalls(text: string): readonly LiteralCall[] {
  return [...text.matchAll(/\b([a-z]+(?:_[a-z]+)+)\((?=\{)/g)].map(({ 0: found, 1: tool = "", index }) => {
    const json = objectAt(text, index + found.length);
    return { tool, args: JSON.parse(json) as LiteralCall["args"] };
  });
}

/** From a brace to the one that closes it. */
function objectAt(text: string, start: number): string {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return text.slice(start, start + index + 1);
  }
  throw new Error(`Not closed: ${text.slice(start)}`);
}
