// What each folder of src/ may see of the others, in the order of the data. Biome's restrictions and the table in ARCHITECTURE.md
// follow from this list: `npm run generate`.
import { execFileSync } from "node:child_process";

/** Of some folders only single files can be seen: the types that others are written against. */
const eventTypes = ["engine/events.ts"];
const journalTypes = ["journal/journal.ts", "journal/owner.ts"];
const restoring = [
  "changes/effects.ts",
  "changes/order-restores.ts",
  "changes/recorded-change.ts",
  "changes/state-text.ts",
];
const pageRecords = ["act", "detail", "page", "workflow"].map((name) => `views/page/${name}-records.ts`);
const words = ["util", "diagnostic", "expression"];
const language = [...words, "block", "definition", "plan"];

const layers = {
  util: [],
  drawing: ["util"],
  diagnostic: ["util"],
  expression: ["util", "diagnostic"],
  block: words,
  changes: [...words, "block"],
  definition: [...words, "block"],
  plan: [...words, "block", "definition"],
  engine: [...language, "changes"],
  library: [...language, "engine"],
  plans: [...language, "library"],
  runs: [...language, "changes", "engine", "library", ...journalTypes],
  views: [...language, "changes", "engine", "library", "plans", "runs", "drawing", ...journalTypes],
  telemetry: ["util", "runs", ...eventTypes, "journal/journal.ts"],
  testing: [...language, "library", "runs", "views", ...eventTypes],
  cli: [...words, "library", "plans", "runs", "views", "testing", ...eventTypes],
  mcp: [...words, "library", "plans", "runs", "views", "testing", ...eventTypes, "journal/journal.ts"],
  http: [
    ...words,
    "library",
    "plans",
    "runs",
    "views",
    "telemetry",
    "drawing",
    ...eventTypes,
    "journal/journal.ts",
    "mcp",
  ],
  ui: [...pageRecords, "drawing"],
  blocks: [...words, "block", ...restoring],
  journal: ["util", "expression", "block/define-block.ts", ...eventTypes],
  dispatch: ["util", "runs/dispatch.ts"],
  platform: ["util", "block", "changes/observer.ts", "changes/recorded-change.ts", ...journalTypes],
};

/** Modules of Node that a folder must not import, and what it uses instead. */
const restricted = {
  blocks: {
    group: ["fs", "fs/**", "child_process", "net", "tls", "dgram", "dns", "dns/**", "http", "https", "http2"],
    message: "A block reaches the outside through its context only: src/block/ports.ts.",
  },
  testing: {
    group: ["fs", "fs/**", "child_process"],
    message: "A test reaches the outside through its bench only: src/testing/test-bench.ts.",
  },
};

/** Folders inside of others have the names of folders of src/, and a pattern can't tell them apart. */
const rooms = { blocks: ["http"], cli: ["drawing"], platform: ["http"] };

/** The configuration of Biome with the restrictions in it. */
export function restrictImports(text) {
  const config = JSON.parse(text);
  const others = config.overrides.filter(({ includes: [first] }) => !/^src\/[a-z]+\/\*\*$/.test(first));
  config.overrides = [...Object.keys(layers).map(restrictFolder), ...others];
  return execFileSync("node_modules/.bin/biome", ["format", "--stdin-file-path=biome.json"], {
    input: JSON.stringify(config, undefined, 2),
    encoding: "utf8",
  });
}

function restrictFolder(folder) {
  const seen = layers[folder];
  const hidden = Object.keys(layers).filter(
    (other) => other !== folder && !seen.includes(other) && !rooms[folder]?.includes(other),
  );
  const files = seen.filter((one) => /\.tsx?$/.test(one));
  const patterns = [
    {
      group: [...hidden.map((other) => `**/${other}/**`), ...files.map((file) => `!**/${file}`)],
      message: `${folder}/ may not depend on this folder: see the layer rule in ARCHITECTURE.md.`,
    },
  ];
  const { group, message } = restricted[folder] ?? {};
  if (group !== undefined) patterns.push({ group: group.map((name) => `node:${name}`), message });
  return {
    includes: [`src/${folder}/**`, "!**/*.test.ts"],
    linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } },
  };
}

/** The layer rule as a table. */
export function layerTable() {
  const rows = Object.entries(layers).map(([folder, seen]) => `| \`${folder}/\` | ${seen.join(", ") || "nothing"} |`);
  return ["| folder | may see |", "|---|---|", ...rows].join("\n");
}
