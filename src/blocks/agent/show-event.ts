import { isMap, type Value } from "../../expression/value.ts";
import { readText } from "../model/read-field.ts";

/** Lines of a transcript: what the agent says stands as it is, `>` is a tool that it calls, `<` what came back. */

const longest = 300;
/** Fields that say most of what a tool is asked to do. */
const telling = ["command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description"];

export function showCall(tool: string, input: Value | undefined): string {
  const found = telling.map((name) => readText(input ?? null, name)).find((text) => text !== undefined);
  const shown = found ?? (input !== undefined && isMap(input) && Object.keys(input).length > 0 ? asText(input) : "");
  return shown === "" ? `> ${tool}` : `> ${tool}: ${oneLine(shown)}`;
}

export function showResult(result: Value | undefined, failed: boolean): string {
  const text = oneLine(asText(result ?? ""));
  return failed ? `< failed: ${text}` : `< ${text === "" ? "done" : text}`;
}

export function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}

function asText(value: Value): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
