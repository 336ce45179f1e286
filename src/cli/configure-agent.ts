import { isDeepStrictEqual } from "node:util";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { writeFile } from "../library/first-workflow/make-files.ts";
import { editJsonc } from "../util/edit-jsonc.ts";
import { editTomlTable } from "../util/edit-toml-table.ts";
import { printableJson } from "../util/printable-json.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { CliContext } from "./context.ts";
import type { Launch, McpClient, ProjectFile } from "./mcp-clients.ts";

/** A client that reads a file of the project. */
export type ProjectClient = McpClient & { readonly project: ProjectFile };

export interface ConfiguredAgent {
  readonly file: string;
  /** `kept`: it has been told of a Frond already, of this one or, where `differs`, of another. */
  readonly done: "made" | "changed" | "kept";
  readonly differs?: true;
}

const mostBytes = 1_000_000;

/**
 * Tells a client of Frond, in its file of the project, and leaves everything else in there as it is. An entry that starts another
 * Frond is replaced only if somebody says so.
 */
export async function configureAgent(
  root: string,
  client: ProjectClient,
  launch: Launch,
  mayReplace: (file: string) => Promise<boolean>,
  { platform }: CliContext,
): Promise<Result<ConfiguredAgent, Problem>> {
  const { path: file } = client.project;
  const config = client.config(launch);
  const found = await platform.files.read({ root, path: file }, mostBytes);
  if (!("bytes" in found) && found.kind !== "missing") return err(byHand(client, found.message));
  const text = "bytes" in found ? Buffer.from(found.bytes).toString() : "";
  if (text.trim() === "") {
    const whole = typeof config === "string" ? config : `${printableJson(config, 2)}\n`;
    const failed = await writeFile(root, file, whole, platform);
    return failed === undefined ? ok({ file, done: "made" }) : err(failed);
  }
  const edited = typeof config === "string" ? editTomlTable(text, config) : addEntry(text, config);
  if (!edited.ok) return err(byHand(client, `${file} is left as it is: ${edited.error}`));
  const { text: changed, state } = edited.value;
  if (state === "same") return ok({ file, done: "kept" });
  if (state === "different" && !(await mayReplace(file))) return ok({ file, done: "kept", differs: true });
  const mode = "mode" in found ? found.mode : platform.files.newFileMode;
  const failed = await writeFile(root, file, changed, platform, mode);
  return failed === undefined ? ok({ file, done: "changed" }) : err(failed);
}

/** The configuration has one member in one member: the server under its name. */
function addEntry(
  text: string,
  config: object,
): Result<{ readonly text: string; readonly state: "absent" | "same" | "different" }, string> {
  const [servers = "", named = {}] = Object.entries(config)[0] ?? [];
  const [name = "", entry] = Object.entries(named as object)[0] ?? [];
  const edited = editJsonc(text, [servers, name], entry);
  if (!edited.ok) return edited;
  const { before, text: changed } = edited.value;
  const state = before === undefined ? "absent" : isDeepStrictEqual(before.value, entry) ? "same" : "different";
  return ok({ text: changed, state });
}

function byHand({ name }: McpClient, why: string): Problem {
  return problem("not-configured", `${why}.`, `Put in there what \`frond mcp-config ${name}\` prints.`);
}
