import type { Catalog } from "../block/catalog.ts";
import type { BlockType } from "../block/define-block.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Value } from "../expression/value.ts";
import { err, ok } from "../util/result.ts";
import type { Action } from "./action.ts";
import { hasOwnBraces } from "./compile-plan.ts";
import { fieldName } from "./field-name.ts";
import { createFile, deleteFile, modifyFile, readFile } from "./file-actions.ts";
import { browserAct, getUserInput, looksLikeExpression, runCommand } from "./other-actions.ts";

/** The actions that have a name of their own; a new one is an object and a place in this list. */
export const namedActions: readonly Action[] = [
  createFile,
  modifyFile,
  deleteFile,
  readFile,
  runCommand,
  getUserInput,
  browserAct,
];

/** What a step may name as its action, with every block type by its name. */
export interface KnownActions {
  find(name: string): Action | undefined;
  suggest(name: string): string;
}

export function createActions(catalog: Catalog): KnownActions {
  const byName = new Map(
    namedActions.flatMap((action) => [action.name, ...action.otherNames].map((name) => [name, action])),
  );
  const byTypeName = new Map(catalog.names.map((name) => [fieldName(name), name]));
  const own = namedActions.map(({ name }) => name);
  return {
    find(name) {
      const exact = catalog.find(name.trim());
      if (exact !== undefined) return blockAction(exact);
      const type = catalog.find(byTypeName.get(fieldName(name)) ?? "");
      return byName.get(fieldName(name)) ?? (type === undefined ? undefined : blockAction(type));
    },
    suggest(name) {
      const types = catalog.types.map(({ type }) => type);
      return suggestName(fieldName(name), [...own, ...types], "action", [
        ...own,
        "or any block type, such as HttpCall",
      ]);
    },
  };
}

/** A step that is a block: what it takes is for the block type to say. */
function blockAction(blockType: BlockType): Action {
  const { type, inputs } = blockType;
  return {
    name: type,
    otherNames: [],
    fields: {},
    inputNames: Object.keys(inputs().shape),
    toBlock(fields) {
      const given = Object.entries(fields) as (readonly [string, Value])[];
      const live = given.find(([name, value]) => hasOwnBraces(blockType, name) && looksLikeExpression(value));
      if (live === undefined) return ok({ type, inputs: given });
      const message = `has a '${live[0]}' with an expression of workflows in it; a plan has none.`;
      return err({ message, fix: "Use run_command, which takes the text as it is." });
    },
  };
}
