/** What the inputs of the snippets would be declared as, and the names of those that would be. */
const kinds: readonly (readonly [declaration: object, names: string])[] = [
  [{ type: "integer", minimum: 0 }, "port min number retries max index days"],
  [{ type: "string", enum: ["staging", "prod"] }, "env"],
  [{ type: "string", pattern: "[0-9]+(\\.[0-9]+)*" }, "version"],
  [{ type: "string", pattern: "[0-9a-f]{64}" }, "sha256"],
  [
    { type: "string", pattern: "[A-Za-z0-9_][A-Za-z0-9_.-]*" },
    "tag host name app target ns user service region profile module database channel to task site release project prefix os from bucket args marker",
  ],
  [
    { type: "string", pattern: "[A-Za-z0-9_.][A-Za-z0-9_./-]*" },
    "dir pkg branch registry image file requirements repo log base",
  ],
];

/** By the name of the input; one that is not here is any text. */
export const declaredInputs: Readonly<Record<string, object>> = Object.fromEntries(
  kinds.flatMap(([declaration, names]) => names.split(" ").map((name) => [name, declaration])),
);
