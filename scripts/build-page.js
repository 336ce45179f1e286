// Bundles the web page into dist/page/: index.html, a script and a style sheet whose names change with their contents, what is loaded
// only when it is needed beside them; and alone.js, alone.css, the same in one piece, for files that hold a whole
// run; and embedded.js, embedded.css, the view of a run in one piece, for clients that show MCP Apps.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { minify } from "rolldown/utils";

const shared = {
  bundle: true,
  minify: true,
  target: "es2023",
  // Calls of h() are shorter than those of the newer jsx(), which name all children as a property.
  jsx: "transform",
  jsxFactory: "h",
  jsxFragment: "Fragment",
  inject: ["src/ui/jsx.ts"],
  legalComments: "none",
  logLevel: "warning",
  tsconfigRaw: { compilerOptions: { jsx: "react" } },
};

export async function buildPage(directory) {
  mkdirSync(directory, { recursive: true });
  // What is loaded later needs its styles, too, and no script adds them: there is one sheet for all.
  const whole = await build({
    ...shared,
    entryPoints: ["src/ui/main.tsx"],
    format: "esm",
    outdir: directory,
    write: false,
  });
  const names = new ShortNames(whole.outputFiles.find(({ path }) => path.endsWith(".css")).text);
  const script = await writeScripts(directory, names);
  const sheet = `page-${names.edition}.css`;
  writeFileSync(`${directory}/${sheet}`, names.sheet);
  await build({
    ...shared,
    entryPoints: { alone: "src/ui/alone.tsx", embedded: "src/ui/embedded.tsx" },
    format: "iife",
    outdir: directory,
  });
  const frame = readFileSync("src/ui/index.html", "utf8").replace("SCRIPT", script).replace("STYLE", sheet);
  writeFileSync(`${directory}/index.html`, frame);
}

/**
 * The script of the first view, and beside it those that are loaded later. Rolldown makes them 1 KB smaller than esbuild does, and its minifier
 * finds as much again in what it has left.
 */
async function writeScripts(directory, names) {
  const bundle = await rolldown({
    input: "src/ui/main.tsx",
    // Reading a property does nothing else, here and in preact.
    treeshake: { propertyReadSideEffects: false },
    transform: {
      target: shared.target,
      jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" },
      inject: { h: ["preact", "h"], Fragment: ["preact", "Fragment"] },
    },
    plugins: [{ name: "sheets", load: (file) => (file.endsWith(".css") ? { code: "", moduleType: "js" } : undefined) }],
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: { mangle: { toplevel: true } },
    // Scripts follow from the short names as well, which follow from the sheet.
    entryFileNames: `page-[hash]${names.edition}.js`,
    chunkFileNames: `part-[hash]${names.edition}.js`,
  });
  await bundle.close();
  for (const { fileName, code } of output) {
    const again = await minify(fileName, code, { module: true, mangle: { toplevel: true } });
    if (again.errors.length > 0) throw again.errors[0];
    writeFileSync(`${directory}/${fileName}`, names.shorten(again.code));
  }
  return output.find(({ isEntry }) => isEntry).fileName;
}

/** Classes that tests and tools look for. */
const lasting = [
  "cell-grid",
  "cell-grid-area",
  "graph-name",
  "graph-ways",
  "log-box",
  "log-current",
  "log-row",
  "log-text",
  "mini-graph",
  "panel-sentence",
  "question-fold",
  "run-row",
];

/** Words of which classes are made while the page is shown: `is-failed`. */
const composed = /^(?:ansi|diff|is|log)-|^(?:would|may)-/;

/**
 * The classes of a sheet by short names: 1.5 KB, compressed. Only those that have a hyphen, as no other word of a script has, and that
 * stand there as they are. Custom properties as well, which no script names.
 */
class ShortNames {
  #names;

  constructor(text) {
    const used = (pattern) => {
      const counts = new Map();
      for (const [name] of text.matchAll(pattern)) counts.set(name, (counts.get(name) ?? 0) + 1);
      return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
    };
    const taken = new Set(used(/(?<=\.)[a-z][\w-]*/g));
    const classes = used(/(?<=\.)[a-z]+(?:-[a-z]+)+(?![\w-])/g).filter(
      (name) => !lasting.includes(name) && !composed.test(name),
    );
    const short = shortWords();
    const next = () => short.next().value;
    const free = () => {
      for (let word = next(); ; word = next()) if (!taken.has(word)) return word;
    };
    this.#names = new Map(classes.map((name) => [name, free()]));
    const properties = shortWords();
    const variables = new Map(used(/--[a-z][\w-]*/g).map((name) => [name, `--${properties.next().value}`]));
    this.sheet = text
      .replace(/(?<=\.)[a-z]+(?:-[a-z]+)+(?![\w-])/g, (name) => this.#names.get(name) ?? name)
      .replace(/--[a-z][\w-]*/g, (name) => variables.get(name));
    this.edition = createHash("sha256").update(text).digest("hex").slice(0, 8);
  }

  shorten(code) {
    return code.replace(/(?<![\w-])[a-z]+(?:-[a-z]+)+(?![\w-])/g, (word) => this.#names.get(word) ?? word);
  }
}

/** a, b, ... z, aa, ba, ... */
function* shortWords(letters = "abcdefghijklmnopqrstuvwxyz") {
  for (const last of ["", ...letters]) for (const first of letters) yield first + last;
}
