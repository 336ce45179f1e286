import { BlockCannotRun } from "../../block/define-block.ts";

/**
 * A repository can name programs that git runs: hooks, a monitor, filters, helpers. Those of the workspace's own repository are the
 * user's. Any other repository in it may have come with what was downloaded there, or been made by a command, so that of its
 * settings none is obeyed that runs something.
 */

export type GitSetting = readonly [name: string, value: string];

/** A directory that only has the names of a repository in it, which anybody can commit, is none. */
export const noImplicitRepository: GitSetting = ["safe.bareRepository", "explicit"];

const always: readonly GitSetting[] = [
  noImplicitRepository,
  ["core.fsmonitor", ""],
  ["core.hooksPath", "/dev/null"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
];

/** What to put in the place of a setting that names a program; an empty one stands for none where git takes it so. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/^filter\..+\.(clean|smudge|process)$/s, ""],
  [/^filter\..+\.required$/s, "false"],
  [/^credential\.(.+\.)?helper$/s, ""],
  [/^core\.(gitproxy|askpass)$/, ""],
  [/^init\.templatedir$/, ""],
  [/^core\.sshcommand$/, "ssh"],
  [/^gpg\.(openpgp\.)?program$/, "gpg"],
  [/^gpg\.x509\.program$/, "gpgsm"],
  [/^gpg\.ssh\.program$/, "ssh-keygen"],
  [/^remote\..+\.uploadpack$/s, "git-upload-pack"],
  [/^remote\..+\.receivepack$/s, "git-receive-pack"],
  [/^submodule\..+\.update$/s, "checkout"],
  [/^(core\.pager|pager\..+|interactive\.difffilter|diff\..+\.textconv|tar\..+\.command)$/s, "cat"],
  [/^(diff\.external|diff\..+\.command|core\.alternaterefscommand|trailer\..+\.(command|cmd))$/s, "true"],
  [/^(core|sequence)\.editor$/, "false"],
  [/^gpg\.ssh\.defaultkeycommand$/, "false"],
  [/^(merge\..+\.driver|remote\..+\.vcs)$/s, "false"],
  [/^(alias|browser|man|difftool|mergetool|guitool|instaweb|sendemail|lfs)\..+$/s, "false"],
];

/** How git is asked for the names of all settings with where they come from. */
export const listSettings: readonly string[] = ["config", "--list", "--show-scope", "--name-only", "-z"];

/** Found among them only by a git that takes settings from the environment. */
export const probe: GitSetting = ["frond.probe", "on"];

/** What overrides everything in a repository's own settings that names a program. */
export function settingsAgainst(listing: string): GitSetting[] {
  const words = listing.split("\0");
  const names = new Set<string>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope, name] = [words[at], words[at + 1] as string];
    if (scope === "local" || scope === "worktree" || name === probe[0]) names.add(name);
  }
  if (!names.has(probe[0])) {
    throw new BlockCannotRun("git 2.31 or newer is needed to use another repository than the workspace's own");
  }
  const found = [...names].flatMap((name): GitSetting[] => {
    const value = instead.find(([pattern]) => pattern.test(name))?.[1];
    return value === undefined ? [] : [[name, value]];
  });
  return [...always, ...found];
}

/** As variables, after those that are there already. */
export function asVariables(
  settings: readonly GitSetting[],
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { GIT_CONFIG_COUNT: count = "0" } = env;
  const first = /^\d{1,4}$/.test(count) ? Number(count) : 0;
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(first + settings.length) };
  for (const [index, [name, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${first + index}`] = name;
    variables[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return variables;
}
