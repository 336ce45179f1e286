/** Of a repository that git is to fetch from; an address or a ref may come from an input, so neither is taken as it is. */

const example = "https://HOST/PROJECT.git, ssh://HOST/PROJECT.git, git@HOST:PROJECT.git, or the path of a directory";

/** What is wrong with it, as a sentence; nothing for one that git may be given. */
export function refuseGitAddress(address: string): string | undefined {
  if (address === "" || /^[\s-]|\s$|\p{Cc}/u.test(address)) return `It is not the address of a repository: ${example}.`;
  const [, protocol] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? [];
  if (protocol !== undefined) {
    if (!["https", "ssh", "file"].includes(protocol.toLowerCase())) {
      return `Frond fetches by https, ssh and from directories, not by ${protocol}: ${example}.`;
    }
    if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(address)) {
      return "It holds a password, which everybody would see who sees the run. Leave it out: git finds it with a credential helper.";
    }
    return /^[a-z]+:\/\/-/i.test(address) ? `It is not the address of a repository: ${example}.` : undefined;
  }
  // `ext::command` and its like run programs.
  if (address.includes("::")) return `It names a helper of git, which Frond does not run: ${example}.`;
  if (isGitPath(address)) return undefined;
  return /^(?:[^\s@:/-][^\s@:/]*@)?[^\s@:/-][^\s@:/]*:[^\s]+$/.test(address)
    ? undefined
    : `It is not the address of a repository: ${example}. A path begins with / or ./.`;
}

/** Whether it is a path, not an address on the network. */
export function isGitPath(address: string): boolean {
  return /^(?:\/|\.{1,2}(?:\/|$))/.test(address);
}

/** The same for a branch, tag or commit. */
export function refuseGitRef(ref: string): string | undefined {
  const isRef =
    ref !== "" &&
    ref.length <= 250 &&
    !/^[-+/.]|[/.]$|\.lock$|\.\.|\/\/|@\{|[\s~^:?*[\\]|\p{Cc}/u.test(ref) &&
    ref !== "@";
  return isRef ? undefined : "It is not the name of a branch or tag, nor a commit.";
}
