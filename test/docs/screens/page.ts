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
  return [introduction, ...sections].join("\n");
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
