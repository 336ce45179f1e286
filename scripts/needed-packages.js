// What only some checks need, and which version of it.

/** The versions of Node that are supported beside the oldest one. */
export const otherNodes = ["22", "24"];
/** The runners of the conformance suite and of the Inspector want more than the oldest Node that is supported. */
export const nodeOfRunners = "22";
export const conformanceSuite = ["@modelcontextprotocol/conformance", "0.2.0-alpha.12", "dist/index.js"];
export const inspector = ["@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js"];
