type Needed = readonly [name: string, version: string, file: string];
export const otherNodes: readonly string[];
export const nodeOfRunners: string;
export const conformanceSuite: Needed;
export const inspector: Needed;
export const codingAgents: Readonly<Record<"claude" | "codex", Needed>>;
export const accessibilityPackage: Needed;
