// Bundles the web page into dist/page/: index.html, a script and a style sheet whose names change with their contents, what is loaded
// only when it is needed beside them; and alone.js, alone.css, the same in one piece, for files that hold a whole run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const shared = {
  bundle: true,
  minify: true,
  target: "es2023",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  tsconfig: "src/ui/tsconfig.json",
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
    metafile: true,
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined,
  );
  const frame = readFileSync("src/ui/index.html", "utf8")
    .replace("SCRIPT", basename(script))
    .replace("STYLE", basename(cssBundle));
  writeFileSync(`${directory}/index.html`, frame);
}
