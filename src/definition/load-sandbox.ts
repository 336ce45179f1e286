import { type SandboxLimits, sandboxNetworks } from "../block/sandbox.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { MapReader } from "./map-reader.ts";

export const sandboxKeys = ["network"] as const;

/** `sandbox: true`, or a map that says what is not to be kept from the commands. */
export function readSandbox(reader: MapReader, report: Report): SandboxLimits | undefined {
  const node = reader.node("sandbox");
  if (node === undefined) return undefined;
  if (node.kind === "scalar" && node.value === true) return { network: "none" };
  if (node.kind !== "map") {
    const fix =
      node.kind === "scalar" && node.value === false
        ? "Leave it out; what is said around it can't be lifted from here."
        : "Write `sandbox: true`, or `sandbox: { network: host }` for commands that need the network.";
    reader.wrongType("sandbox", "true or a map with network", fix);
    return undefined;
  }
  const inner = new MapReader(node, `the sandbox of ${reader.what}`, report);
  inner.refuseUnknown(sandboxKeys);
  return { network: inner.oneOf("network", sandboxNetworks) ?? "none" };
}
