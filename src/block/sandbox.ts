export const sandboxNetworks = ["none", "host"] as const;

/** What a command in a sandbox is kept from, beside all that every sandbox keeps it from. */
export interface SandboxLimits {
  /** `host`: it can reach whatever a command outside could. */
  readonly network: (typeof sandboxNetworks)[number];
}

/** Whoever asks for a sandbox gets one, and of two limits the tighter one: nothing further in can lift what is said around it. */
export function tighterOf(one: SandboxLimits | undefined, other: SandboxLimits | undefined): SandboxLimits | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.network === "none" ? one : other;
}
