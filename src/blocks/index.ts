import type { BlockType } from "../block/define-block.ts";
import { agent } from "./agent.ts";
import { browser } from "./browser.ts";
import { copyFile } from "./copy-file.ts";
import { createFile } from "./create-file.ts";
import { createWorktree } from "./create-worktree.ts";
import { deleteFile } from "./delete-file.ts";
import { editFile } from "./edit-file.ts";
import { executeWorkflow } from "./execute-workflow.ts";
import { httpCall } from "./http-call.ts";
import { llmCall } from "./llm-call.ts";
import { makeDir } from "./make-dir.ts";
import { mergeJsonState } from "./merge-json-state.ts";
import { moveFile } from "./move-file.ts";
import { prompt } from "./prompt.ts";
import { readFile } from "./read-file.ts";
import { readJsonState } from "./read-json-state.ts";
import { removeWorktree } from "./remove-worktree.ts";
import { renderTemplate } from "./render-template.ts";
import { restoreFiles } from "./restore-files.ts";
import { shell } from "./shell.ts";
import { wait } from "./wait.ts";
import { writeJsonState } from "./write-json-state.ts";

/** Every block type, in the order they are documented. */
export const blockTypes: readonly BlockType[] = [
  shell,
  executeWorkflow,
  createFile,
  editFile,
  readFile,
  deleteFile,
  moveFile,
  copyFile,
  makeDir,
  restoreFiles,
  renderTemplate,
  wait,
  prompt,
  httpCall,
  llmCall,
  agent,
  browser,
  readJsonState,
  writeJsonState,
  mergeJsonState,
  createWorktree,
  removeWorktree,
];
