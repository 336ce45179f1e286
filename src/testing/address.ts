/** Whether a block's address is meant by one in a test, where `*` stands for any one part. */
export function isMeant(address: string, path: string): boolean {
  const [wanted, parts] = [address.split("/"), path.split("/")];
  return wanted.length === parts.length && wanted.every((part, index) => part === "*" || part === parts[index]);
}

/** What a test says of a block: under its own address rather than under one that means others as well. */
export function findMeant<T>(all: ReadonlyMap<string, T>, path: string): readonly [string, T] | undefined {
  const exact = all.get(path);
  if (exact !== undefined) return [path, exact];
  return [...all].find(([address]) => isMeant(address, path));
}
