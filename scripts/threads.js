import { buildSync } from "esbuild";

/** The programs of threads, by the module that says where each is: they load nothing of the engine. */
export const threads = {
  "src/blocks/template/thread-file.ts": "src/blocks/template/template-thread.ts",
  "src/platform/files/observe/thread-file.ts": "src/platform/files/observe/observe-thread.ts",
};

export function buildThread(program, outfile) {
  buildSync({
    entryPoints: [program],
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

/** All of them, for bundles that lie in this directory. */
export function buildThreads(directory) {
  for (const program of Object.values(threads)) {
    buildThread(program, `${directory}/${program.slice(program.lastIndexOf("/") + 1).replace(/\.ts$/, ".cjs")}`);
  }
}
