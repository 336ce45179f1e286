import { expect, test } from "vitest";
import { bubblewrapOptions, type Enclosure } from "./bubblewrap-options.ts";

const bare: Enclosure = { network: "none", endsWithCommand: true, directory: "/work", env: {}, mounts: [] };

const system = [
  ...["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  ...["/proc/sys", "/proc/sysrq-trigger", "/proc/fs"].flatMap((path) => ["--ro-bind-try", path, path]),
];
const end = ["--chdir", "/work"];

test.each<[string, Partial<Enclosure>, readonly string[]]>([
  [
    "the file system read-only, everything else its own, gone with the command",
    {},
    ["--unshare-all", "--die-with-parent", ...system, ...end],
  ],
  [
    "the network of the host",
    { network: "host" },
    ["--unshare-all", "--share-net", "--die-with-parent", ...system, ...end],
  ],
  ["what it leaves running stays", { endsWithCommand: false }, ["--unshare-all", ...system, ...end]],
  [
    "every kind of mount, what lies in another one after that",
    {
      mounts: [
        { path: "/home/me/work/.git/hooks", kind: "read-only" },
        { path: "/home/me/work", kind: "writable" },
        { path: "/home/me", kind: "private" },
      ],
    },
    [
      ...["--unshare-all", "--die-with-parent", ...system],
      ...["--tmpfs", "/home/me"],
      ...["--bind", "/home/me/work", "/home/me/work"],
      ...["--ro-bind", "/home/me/work/.git/hooks", "/home/me/work/.git/hooks"],
      ...end,
    ],
  ],
  [
    "to wait when everything is mounted, and for a filter of system calls",
    { gate: { info: 4, ready: 5, block: 6, filter: 7 }, mounts: [{ path: "/home/me", kind: "private" }] },
    [
      ...["--unshare-all", "--die-with-parent", ...system, "--tmpfs", "/home/me"],
      ...["--file", "5", "/dev/null"],
      ...["--info-fd", "4", "--block-fd", "6", "--seccomp", "7"],
      ...end,
    ],
  ],
  [
    "the environment of the command",
    { env: { LD_PRELOAD: "./x.so", EMPTY: "" } },
    [
      ...["--unshare-all", "--die-with-parent", ...system],
      ...["--setenv", "LD_PRELOAD", "./x.so", "--setenv", "EMPTY", ""],
      ...end,
    ],
  ],
])("bubblewrap is asked for %s", (_, parts, expected) => {
  expect(bubblewrapOptions({ ...bare, ...parts })).toEqual(expected);
});
