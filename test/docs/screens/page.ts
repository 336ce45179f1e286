import { markOf } from "../../../src/cli/drawing/draw-tree.ts";
import type { BlockStatus } from "../../../src/views/run-tree.ts";
import type { Picture } from "./stage.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The windows in which every picture is taken. */
export const sizes: readonly Size[] = [
  { columns: 100, rows: 30 },
  { columns: 60, rows: 20 },
];

/** What the pictures of a page look like, by their names and sizes. */
export type Pictures = ReadonlyMap<string, readonly string[]>;

export function keyOf(name: string, { columns, rows }: Size): string {
  return `${name}, ${columns} columns and ${rows} rows`;
}

const introduction = `# What people look at

Every screen of the command line that a person has before them often, as text, in a window of 100 columns and 30 rows and in one of 60
columns and 20 rows. \`npm run screens\` writes this page: the command line runs in a real terminal there, and a terminal emulator draws
what it writes. A test holds the page to that. Only the clock is not real, nor is the directory; of spinners the first picture is shown.
Colours are left out, and every line has to be clear without them.
`;

/** What the signs of the tree mean, in the order of the table. */
const meanings: Readonly<Record<BlockStatus, string>> = {
  success: "has succeeded",
  running: "runs; the sign turns",
  pending: "waits for others",
  skipped: "was skipped; why stands behind it",
  paused: "waits for an answer",
  sleeping: "sleeps until a time",
  interrupted: "was running when its process ended; `frond resume RUN` goes on",
  failure: "has failed",
  crashed: "could not run",
  timeout: "ran out of time",
  cancelled: "was cancelled",
};

/** What else stands in the pictures, and is no word. */
const others: readonly (readonly [sign: string, meaning: string])[] = [
  ["`(reused)`", "the result is that of the run before, taken over by `frond rerun`"],
  ["`[1] web`", "the pass of a loop for its element 1, counted from 0, which is `web`"],
  [
    "`2/3, 1 failed`",
    "of three passes, or blocks inside, two have succeeded; of a loop only the passes that run, ask or failed have lines",
  ],
  ["`and 4 done`", "so many more have no line, as the window has no room for them"],
  ["`(finally)`", "a block under `finally`, which runs when all others have ended"],
  [
    "`run_1kjpy44e0a2sswkc`, `1kjpy44e`",
    "the id of a run, and its beginning; every command that takes a run takes either, or `last`",
  ],
  ["`[setup]`", "in lists: the tags of a workflow; `frond list --tag setup` lists those that have it"],
  ["`(2 above)`", "on this page only: so many lines have scrolled out of the window"],
];

/** Made from the marks that are drawn. What has the same ones has one row. */
function signs(): string {
  const rows = new Map<string, string[]>();
  for (const [status, meaning] of Object.entries(meanings)) {
    const [drawn, plain] = [true, false].map((unicode) => markOf(status as BlockStatus, { unicode, frame: 0 }));
    const sign = `\`${drawn}\` | ${drawn === plain ? "" : `\`${plain?.replace("|", "\\|")}\``}`;
    rows.set(sign, [...(rows.get(sign) ?? []), meaning]);
  }
  const marks = [...rows].map(([sign, what]) => `| ${sign} | ${what.join(", or ")} |`);
  const table = [...marks, ...others.map(([sign, meaning]) => `| ${sign} | | ${meaning} |`)];
  return `| sign | without Unicode | |\n|---|---|---|\n${table.join("\n")}\n`;
}

/** The whole page, with what is to be seen in each picture. */
export function renderPage(notes: Readonly<Record<string, string>>, pictures: Pictures): string {
  const sections = Object.entries(notes).map(([name, note]) => {
    const shown = sizes.map((size) => {
      const rows = pictures.get(keyOf(name, size));
      if (rows === undefined) throw new Error(`There is no picture of: ${keyOf(name, size)}`);
      return `${size.columns} columns, ${size.rows} rows:\n\n\`\`\`text\n${rows.join("\n")}\n\`\`\`\n`;
    });
    return `## ${name}\n\n${note}\n\n${shown.join("\n")}`;
  });
  return [introduction, signs(), ...sections].join("\n");
}

export function readPage(page: string): Pictures {
  const [, ...sections] = page.split(/^## /m);
  const pictures = new Map<string, readonly string[]>();
  for (const section of sections) {
    const name = section.slice(0, section.indexOf("\n"));
    const shown = [...section.matchAll(/^```text\n([\s\S]*?)\n```$/gm)].map(([, text = ""]) => text.split("\n"));
    for (const [index, size] of sizes.entries()) pictures.set(keyOf(name, size), shown[index] ?? []);
  }
  return pictures;
}

/** The rows of a picture as the page has them, with a word of those for which the window is too small. */
export function rowsOf({ rows, scrolledAway }: Picture): readonly string[] {
  const shown = rows.map((row) => row.trimEnd());
  return scrolledAway === 0 ? shown : [`(${scrolledAway} above)`, ...shown];
}
