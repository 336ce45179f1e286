import type { BlockType } from "../block/define-block.ts";
import { executeWorkflow } from "./execute-workflow.ts";
import { prompt } from "./prompt.ts";
import { shell } from "./shell.ts";

/** Every block type, in the order they are documented. */
export const blockTypes: readonly BlockType[] = [shell, executeWorkflow, prompt];
