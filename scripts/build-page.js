// Bundles the web page into dist/page/: index.html, a script and a style sheet whose names change with their contents, what is loaded
// only when it is needed beside them; and alone.js, alone.css, the same in one piece, for files that hold a whole
// run; and embedded.js, embedded.css, the view of a run in one piece, for clients that show MCP Apps.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
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
  const { metafile } = await build({
    ...shared,
    entryPoints: ["src/ui/main.tsx"],
    format: "esm",
    splitting: true,
    outdir: directory,
    entryNames: "page-[hash]",
    chunkNames: "part-[hash]",
    loader: { ".css": "empty" },
    metafile: true,
  });
  await Promise.all(Object.keys(metafile.outputs).map(minifyAgain));
  // What is loaded later needs its styles, too, and no script adds them: there is one sheet for all.
  const whole = await build({
    ...shared,
    entryPoints: ["src/ui/main.tsx"],
    format: "esm",
    outdir: directory,
    entryNames: "page-[hash]",
    write: false,
  });
  const sheet = whole.outputFiles.find(({ path }) => path.endsWith(".css"));
  writeFileSync(sheet.path, sheet.contents);
  const [script] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === "src/ui/main.tsx");
  await build({
    ...shared,
    entryPoints: { alone: "src/ui/alone.tsx", embedded: "src/ui/embedded.tsx" },
    format: "iife",
    outdir: directory,
  });
  const frame = readFileSync("src/ui/index.html", "utf8")
    .replace("SCRIPT", basename(script))
    .replace("STYLE", basename(sheet.path));
  writeFileSync(`${directory}/index.html`, frame);
}

/** A second minifier finds what the first one leaves: some 2 KB, compressed. */
async function minifyAgain(file) {
  const { code, errors } = await minify(file, readFileSync(file, "utf8"), { module: true, mangle: { toplevel: true } });
  if (errors.length > 0) throw errors[0];
  writeFileSync(file, code);
}
