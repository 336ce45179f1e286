/** In the workspace: the directory of each run that has a scratch directory, by its id. */
export const scratchDirectory = ".scratch";
