/** What lies at a path inside of a sandbox: real paths only. */
export interface Mount {
  readonly path: string;
  readonly kind: MountKind;
}

export type MountKind =
  /** What is there outside. */
  | "writable"
  | "read-only"
  /** A directory of the sandbox's own, gone with it. */
  | "private"
  /** The same, and it stays empty. */
  | "sealed";

export interface Enclosure {
  readonly network: "none" | "host";
  /** Everything inside ends at once when the command does, or when whoever started it dies. */
  readonly endsWithCommand: boolean;
  readonly directory: string;
  /** Of the command. Bubblewrap itself must not have it, for it could be made to load a library with it. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
}

/**
 * What bubblewrap is to be told before the command. The file system can be read but not written to, except for the mounts; devices,
 * processes, and the network unless it is the host's, are the sandbox's own. The command gets no terminal to type into, because
 * whoever starts it makes it a session of its own.
 */
export function bubblewrapOptions(enclosure: Enclosure): string[] {
  const { network, endsWithCommand, directory, env, mounts } = enclosure;
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
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", directory],
  ];
}

/** Open to root by its user id alone, which no namespace changes. */
const kernelSettings = ["/proc/sys", "/proc/sysrq-trigger", "/proc/fs"];

function mountArguments({ path, kind }: Mount): string[] {
  switch (kind) {
    case "writable":
      return ["--bind", path, path];
    case "read-only":
      return ["--ro-bind", path, path];
    case "private":
      return ["--tmpfs", path];
    case "sealed":
      return ["--tmpfs", path, "--remount-ro", path];
  }
}
