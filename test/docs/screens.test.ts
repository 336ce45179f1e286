import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { keyOf, readPage, renderPage, rowsOf, sizes } from "./screens/page.ts";
import { openStage } from "./screens/stage.ts";
import { notes, stories } from "./screens/stories.ts";

const file = "docs/screens.md";
/** `npm run screens` writes the page; else it is compared with what is to be seen. */
const isWriting = process.env.FROND_SCREENS === "write";
const taken = new Map<string, readonly string[]>();

const told = Object.entries(stories).flatMap(([name, tell]) => sizes.map((size) => ({ name, tell, ...size })));

// What ends at the same moment of the pictures' clock is seen in either order on a loaded machine.
test.concurrent.each(told)(
  "$name, in $columns columns, looks as the page says",
  { timeout: 90_000, retry: 2 },
  async (story) => {
    const { tell, columns, rows } = story;
    const ends: (() => void | Promise<void>)[] = [];
    try {
      const pictures = await openStage(columns, rows, (end) => ends.push(end)).then(async (stage) => {
        await tell(stage);
        return stage.pictures;
      });
      const page = isWriting ? new Map() : readPage(readFileSync(file, "utf8"));
      expect(pictures.length).toBeGreaterThan(0);
      for (const picture of pictures) {
        const key = keyOf(picture.name, { columns, rows });
        taken.set(key, rowsOf(picture));
        if (!isWriting)
          expect(rowsOf(picture), `${key}: run \`npm run screens\` if this is right`).toEqual(page.get(key));
      }
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
);

test.skipIf(isWriting)("the page has these pictures and no others", () => {
  const page = readFileSync(file, "utf8");
  expect(renderPage(notes, readPage(page))).toBe(page);
});

afterAll(() => {
  // Of a story that was not told the page keeps what it has.
  if (isWriting) writeFileSync(file, renderPage(notes, new Map([...readPage(readFileSync(file, "utf8")), ...taken])));
});
