/** `dependsOn`, `depends-on` and `Depends On` are the same field. */
export function fieldName(written: string): string {
  return written
    .trim()
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_");
}
