import type { HeldEntry } from "../files/held-entries.ts";

/** What lies at a path inside of a sandbox: real paths only. */
export interface Mount {
  readonly path: string;
  readonly kind: MountKind;
  /** What is meant by the path outside, unless it is private. */
  readonly entry?: HeldEntry;
}

export type MountKind =
  /** What is there outside. */
  | "writable"
  | "read-only"
  /** A directory of the sandbox's own, gone with it. */
  | "private";

/** File descriptors that bubblewrap is started with. */
export interface GateDescriptors {
  /** Where it writes the process id of the sandbox. */
  readonly info: number;
  /** Which it closes when all is mounted. */
  readonly ready: number;
  /** From which it reads a byte before it runs the command. */
  readonly block: number;
  /** From which it reads what system calls there are. */
  readonly filter?: number;
}

export interface Enclosure {
  readonly network: "none" | "host";
  /** Everything inside ends at once when the command does, or when whoever started it dies. */
  readonly endsWithCommand: boolean;
  readonly directory: string;
  /** Of the command. Bubblewrap itself must not have it, for it could be made to load a library with it. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly gate?: GateDescriptors;
}

/**
 * What bubblewrap is to be told before the command. The file system can be read but not written to, except for the mounts; devices,
 * processes, and the network unless it is the host's, are the sandbox's own. The command gets no terminal to type into, because
 * whoever starts it makes it a session of its own.
 */
export function bubblewrapOptions(enclosure: Enclosure): string[] {
  const { network, endsWithCommand, directory, env, mounts, gate } = enclosure;
  return [
    "--unshare-all",
    ...(network === "host" ? ["--share-net"] : []),
    ...(endsWithCommand ? ["--die-with-parent"] : []),
    // Root would keep all its powers.
    ...["--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--proc", "/proc"],
    ...kernelSettings.flatMap((path) => ["--ro-bind-try", path, path]),
    // What lies inside another one must come after it.
    ...mounts.toSorted((one, other) => one.path.length - other.path.length).flatMap(mountArguments),
    ...(gate === undefined ? [] : gateArguments(gate)),
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", directory],
  ];
}

/** Open to root by its user id alone, which no namespace changes. */
const kernelSettings = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs"];

/**
 * Descriptors are used in the order of the options, so `ready` is closed after everything was mounted. There is nothing in it, and
 * nothing is left of it.
 */
function gateArguments({ info, ready, block, filter }: GateDescriptors): string[] {
  return [
    ...["--file", String(ready), "/dev/null"],
    ...["--info-fd", String(info), "--block-fd", String(block)],
    ...(filter === undefined ? [] : ["--seccomp", String(filter)]),
  ];
}

function mountArguments({ path, kind }: Mount): string[] {
  switch (kind) {
    case "writable":
      return ["--bind", path, path];
    case "read-only":
      return ["--ro-bind", path, path];
    case "private":
      return ["--tmpfs", path];
  }
}
