import { type SandboxLimits, sandboxNetworks } from "../block/sandbox.ts";
import { choice, withDefault } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { MapReader } from "./map-reader.ts";

export const sandboxKeys: Keys<SandboxLimits> = {
  network: {
    name: "network",
    docs: "`host` gives commands the network of this machine",
    examples: ["host", "none"],
    ...withDefault(choice(sandboxNetworks), "none"),
  },
};

/** `sandbox: true`, or a map that says what is not to be kept from the commands. */
export const sandbox: Key<SandboxLimits | undefined> = {
  name: "sandbox",
  docs: "Runs commands in a sandbox: they write only in the workspace and have no network, unless it is the host's",
  examples: ["true", "{ network: host }", "{}"],
  schema: (catalog) => ({ anyOf: [{ const: true }, mapSchema(listKeys(sandboxKeys), catalog)] }),
  read(at) {
    const { node } = at;
    if (node === undefined) return undefined;
    if (node.kind === "scalar" && node.value === true) return { network: "none" };
    if (node.kind !== "map") {
      const fix =
        node.kind === "scalar" && node.value === false
          ? "Leave it out; what is said around it can't be lifted from here."
          : "Write `sandbox: true`, or `sandbox: { network: host }` for commands that need the network.";
      return at.wrongType("true or a map with network", fix);
    }
    return readMap(sandboxKeys, new MapReader(node, `the sandbox of ${at.what}`, at.report), undefined);
  },
};
