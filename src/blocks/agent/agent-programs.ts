import type { AgentProgram } from "./agent-program.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** Every agent that can be run, in the order they are documented. */
export const agentPrograms: readonly AgentProgram[] = [claude, codex, gemini, opencode];

export function findAgent(name: string): AgentProgram | undefined {
  return agentPrograms.find((program) => program.name === name);
}
