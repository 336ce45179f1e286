import { shell, workflow } from "../../rig/frond.ts";
import type { TreeEntry } from "../random-tree.ts";

/** What lies in the workspace before: something for every kind of change. */
export const tree: readonly TreeEntry[] = [
  file("edited.txt", "one\r\ntwo\r\n", 0o600),
  file("moved.bin", "\0\xff\xfe\n", 0o755),
  file("replaced.txt", "to be replaced\n", 0o640),
  { path: "removed", kind: "directory", mode: 0o700 },
  file("removed/inner.txt", "inner\n"),
  { path: "removed/empty", kind: "directory", mode: 0o755 },
  { path: "removed/link", kind: "link", target: "nowhere" },
  { path: "whole", kind: "directory", mode: 0o755 },
  file("whole/one", "1\n"),
  file("whole/odd\\xff", "odd\n"),
  file("state.json", '{"a": 1}\n'),
  file("by-command.txt", "as it was\n", 0o644),
  file("gone-by-command", "also\n", 0o644),
  { path: "link", kind: "link", target: "edited.txt" },
];

function file(path: string, content: string, mode = 0o644): TreeEntry {
  return { path, kind: "file", mode, content };
}

const command = [
  "printf changed > by-command.txt",
  "chmod 755 by-command.txt",
  "rm -f gone-by-command",
  "mkdir -p made/by/command",
  "printf new > made/by/command/file",
  "ln -sfn elsewhere link",
].join("\n");

/** A command can be run twice, so that one which was interrupted is. */
const again = { on_interrupted: "rerun" };

const blocks: readonly object[] = [
  { id: "edit", type: "EditFile", inputs: { path: "edited.txt", content: "edited\r\n" } },
  { id: "create", type: "CreateFile", inputs: { path: "new/deep/file", content: "new\n", mode: "600" } },
  {
    id: "in_a_row",
    depends_on: ["edit"],
    blocks: [
      { id: "move", type: "MoveFile", inputs: { from: "moved.bin", to: "replaced.txt", overwrite: true } },
      { id: "move_all", type: "MoveFile", inputs: { from: "whole", to: "there/whole" }, depends_on: ["move"] },
      {
        id: "copy",
        type: "CopyFile",
        inputs: { from: "there", to: "copy", recursive: true },
        depends_on: ["move_all"],
      },
      { id: "remove", type: "DeleteFile", inputs: { path: "removed", recursive: true }, depends_on: ["copy"] },
    ],
  },
  { id: "observed", ...shell("observed", command), effects: "observe", ...again, depends_on: ["create"] },
  {
    id: "each",
    type: "MergeJSONState",
    inputs: { path: "state.json", updates: { last: "${each.value}" } },
    for_each: ["one", "two"],
    for_each_mode: "sequential",
    depends_on: ["in_a_row", "observed"],
  },
  { ...shell("fail", "printf half > half; exit 1"), effects: "observe", ...again, depends_on: ["each"] },
];

/** Something that has to be ended before anything is taken back. */
const slow = { ...shell("slow", "printf half > slow; sleep 600"), effects: "observe", ...again };

/** `rolled-back` takes everything back by itself, `plain` leaves that to somebody else. */
export const workflows: Readonly<Record<string, string>> = {
  "rolled-back.yaml": workflow("rolled-back", [...blocks, slow], { on_failure: "rollback" }),
  "plain.yaml": workflow("plain", blocks),
};
