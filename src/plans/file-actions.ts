import { posix } from "node:path";
import { isList, isMap, type Value, type ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { type Action, block, defineAction, type Fault } from "./action.ts";
import { anything, count, type Field, type Form, flag, text, words } from "./field.ts";
import { fieldName } from "./field-name.ts";

/** A plan works in the workspace, and this much of a path tells that before anything runs. */
const insidePath: Form<string> = (value) => {
  const read = words(value);
  if (!read.ok) return read;
  if (read.value.includes("\0")) return err("holds a character that no path can hold");
  const way = posix.normalize(read.value).replace(/\/$/, "");
  if (way === ".." || way.startsWith("../")) return err("leads out of the workspace, where a plan can't work");
  return way === "." ? err("is the workspace itself") : read;
};

const path: Field<string> & { readonly required: true } = {
  read: insidePath,
  otherNames: ["file", "file_path", "filepath", "filename", "file_name", "target", "target_file", "destination"],
  required: true,
};

/** Data is what a file holds as JSON. */
const fileText: Form<string> = (value) => {
  if (isMap(value)) return ok(`${JSON.stringify(value, undefined, 2)}\n`);
  return isList(value) ? err("must be one text, not a list: join its lines") : text(value);
};

const content: Field<string> = {
  read: fileText,
  otherNames: ["contents", "file_content", "file_contents", "file_text", "new_content", "text", "body", "code"],
};

const mode: Field<string> = { read: text, otherNames: ["permissions"] };

const oldNames = ["old", "old_str", "old_string", "search", "search_text", "find", "original", "original_text"];
const newNames = ["new", "new_str", "new_string", "replace", "replace_with", "replacement", "updated", "updated_text"];
const editsNames = ["edits", "replacements", "modifications", "changes"];

export const createFile: Action = defineAction({
  name: "create_file",
  otherNames: ["write_file", "add_file", "new_file", "create", "write", "file_create", "file_write"],
  fields: {
    path,
    content: { ...content, required: true },
    overwrite: { read: flag },
    mode,
    encoding: { read: text },
  },
  toBlock: (fields) => ok(block("CreateFile", fields)),
});

export const modifyFile: Action = defineAction({
  name: "modify_file",
  otherNames: ["edit_file", "update_file", "change_file", "patch_file", "replace_in_file", "str_replace", "edit"],
  fields: {
    path,
    content,
    old_text: { read: text, otherNames: oldNames },
    new_text: { read: text, otherNames: newNames },
    count: { read: count(1, 1_000_000) },
    replace_all: { read: flag },
    operations: { read: anything, otherNames: editsNames },
    mode,
    encoding: { read: text },
    create_if_missing: { read: flag },
  },
  toBlock({ path, content, mode, encoding, operations, create_if_missing, ...replacement }) {
    const { old_text: old, new_text: replaced } = replacement;
    const edits = operations !== undefined || old !== undefined || replaced !== undefined;
    if (content !== undefined && edits) {
      return err({
        message: "says both what the file is to hold and what to replace in it.",
        fix: "Remove one of them.",
      });
    }
    if (content !== undefined) return ok(block("CreateFile", { path, content, overwrite: true, mode, encoding }));
    const read = operations === undefined ? readReplacement(replacement) : readOperations(operations);
    return read.ok ? ok(block("EditFile", { path, operations: read.value, encoding, create_if_missing })) : read;
  },
});

interface Replacement {
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  readonly count?: number | undefined;
  readonly replace_all?: boolean | undefined;
}

const editHint = "Give old_text and new_text, or content for all of the file.";

function readReplacement({ old_text, new_text, count, replace_all }: Replacement): Result<Value, Fault> {
  if (old_text === undefined || new_text === undefined) {
    const missing = old_text === undefined ? "old_text" : "new_text";
    const isEmpty = old_text === undefined && new_text === undefined;
    return err({ message: isEmpty ? "does not say what to change." : `has no '${missing}'.`, fix: editHint });
  }
  if (old_text === "") return err({ message: "has an empty 'old_text'.", fix: editHint });
  const most = count ?? (replace_all === false ? 1 : undefined);
  return ok([{ type: "replace_text", old_text, new_text, ...(most === undefined ? {} : { count: most }) }]);
}

/** Operations of EditFile as they are; those that name no type replace a text. */
function readOperations(operations: Value): Result<Value, Fault> {
  const all = isList(operations) ? operations : [operations];
  const read = all.map(readOperation);
  const wrong = read.indexOf(undefined);
  if (wrong === -1 && all.length > 0) return ok(read as Value[]);
  const message = all.length === 0 ? "has no edits." : `has an edit, the ${wrong + 1}. of them, that can't be read.`;
  return err({ message, fix: 'Write [{"old_text": "...", "new_text": "..."}].' });
}

function readOperation(operation: Value): ValueMap | undefined {
  if (!isMap(operation)) return undefined;
  if (typeof operation.type === "string") return operation;
  const named = Object.entries(operation).map(([name, value]) => [usualName(fieldName(name)), value] as const);
  const fields = Object.fromEntries(named);
  const { old_text: old, new_text: replaced } = fields;
  return typeof old === "string" && typeof replaced === "string" ? { type: "replace_text", ...fields } : undefined;
}

function usualName(name: string): string {
  if (oldNames.includes(name)) return "old_text";
  return newNames.includes(name) ? "new_text" : name;
}

export const deleteFile: Action = defineAction({
  name: "delete_file",
  otherNames: ["remove_file", "delete", "remove", "rm", "unlink", "file_delete"],
  fields: { path, recursive: { read: flag }, missing_ok: { read: flag, otherNames: ["ignore_missing", "force"] } },
  toBlock: (fields) => ok(block("DeleteFile", fields)),
});

export const readFile: Action = defineAction({
  name: "read_file",
  otherNames: ["view_file", "open_file", "cat", "read", "view", "file_read"],
  fields: { path, encoding: { read: text }, required: { read: flag } },
  toBlock: (fields) => ok(block("ReadFile", fields)),
});
