const oldest = [20, 19] as const;

/** What to say where Node lacks what Frond is built on; anything later would be a stack trace. */
export function explainOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `Frond needs Node ${oldest.join(".")} or later; this is ${version}.`;
}
