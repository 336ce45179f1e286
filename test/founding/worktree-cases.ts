import { expect } from "vitest";
import { type Case, failure, skipped, success } from "./case.ts";

/** Templates and worktrees. */
export const worktreeCases: readonly Case[] = [
  {
    workflow: "populate-readme",
    when: "the variables are given",
    blocks: { populate_readme: success },
    run: success,
    outputs: { rendered: "# MyApp\nVersion: 1.0.0" }, // as Jinja2 renders it: without the last newline
  },
  {
    workflow: "build-project",
    when: "the tests pass in the worktree",
    isRepository: true,
    blocks: { create_worktree: success, create_file: success, run_tests: success },
    run: success,
    outputs: { worktree_path: expect.stringMatching(/^\/.*\/\.worktrees\/my-project$/), tests_passed: true },
    leaves: {
      ".worktrees/my-project/README.md": expect.stringMatching(/^# my-project\nBuilt at: \d{4}-.*\n$/),
      ".worktrees/my-project/calls.log": "pytest tests/\n",
    },
  },
  {
    workflow: "build-project",
    when: "there is no repository",
    programs: { git: "echo 'fatal: not a git repository' >&2; exit 128" },
    blocks: { create_worktree: failure, create_file: skipped, run_tests: skipped },
    run: failure,
    outputs: { worktree_path: expect.stringMatching(/\/\.worktrees\/my-project$/), tests_passed: false },
  },
  {
    workflow: "worktree-pattern",
    when: "there is a branch main",
    isRepository: true,
    blocks: { create_worktree: success, create_file: success },
    run: success,
    outputs: { worktree_path: expect.stringMatching(/^\/.*\/\.worktrees\/feature\/login$/) },
    leaves: { ".worktrees/feature/login/new-file.txt": expect.stringMatching(/^Feature: login\nCreated at: \d{4}-/) },
  },
];
