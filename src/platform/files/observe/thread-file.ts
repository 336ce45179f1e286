/** The program of the thread that looks, a bundle of its own beside the others. Tests hand over one that is made of the sources. */
export const threadFile: URL = new URL("./observe-thread.cjs", import.meta.url);
