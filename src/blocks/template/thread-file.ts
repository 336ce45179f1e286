/** The program of the threads that render, a bundle of its own beside the others. Tests hand over one that is made of the sources. */
export const threadFile: URL = new URL("./template-thread.cjs", import.meta.url);
