import { buildSync } from "esbuild";

/** Bundles the program of the threads that render templates: they load nothing of the engine. */
export function buildTemplateThread(outfile) {
  buildSync({
    entryPoints: ["src/blocks/template/template-thread.ts"],
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    outfile,
    logLevel: "warning",
    charset: "ascii",
    minifySyntax: true,
    minifyWhitespace: true,
  });
}
