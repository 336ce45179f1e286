import { expect } from "vitest";
import { type Case, failure, skipped, success } from "./case.ts";

const report = (passed: boolean, exitCode: number): string =>
  `# my-project\nVersion: 1.0\n\nTests Passed: ${passed}\nExit Code: ${exitCode}\n`;

/** Files that blocks write and read. */
export const fileCases: readonly Case[] = [
  {
    workflow: "create-readme",
    when: "the tests pass",
    blocks: { run_tests: success, create_file: success },
    run: success,
    outputs: { path: expect.stringMatching(/^\/.*\/README\.md$/) },
    leaves: { "README.md": report(true, 0) },
  },
  {
    workflow: "create-readme",
    when: "the tests fail: a file that tells of it either way handles nothing",
    programs: { pytest: 3 },
    inputs: { workspace: "docs" },
    blocks: { run_tests: failure, create_file: success },
    run: failure,
    leaves: { "docs/README.md": report(false, 3) },
  },
  {
    workflow: "read-config",
    when: "there is a file",
    finds: { "config.json": "{}" },
    blocks: { read_config: success, process_config: success, use_defaults: skipped },
    run: success,
  },
  {
    workflow: "read-config",
    when: "there is none",
    blocks: { read_config: success, process_config: success, use_defaults: skipped },
    run: success,
  },
  {
    workflow: "read-config-found",
    when: "there is a file",
    finds: { "config.json": '{"a": 1}\n' },
    blocks: { read_config: success, process_config: success, use_defaults: skipped },
    run: success,
    outputs: { config: '{"a": 1}\n' },
  },
  {
    workflow: "read-config-found",
    when: "there is none",
    blocks: { read_config: success, process_config: skipped, use_defaults: success },
    run: success,
    outputs: { config: "" },
  },
];
