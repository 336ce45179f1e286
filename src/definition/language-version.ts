/**
 * The version of the workflow language that this program reads. It goes up when a text of before could mean something else. A run
 * records the one that its texts were written for.
 */
export const languageVersion = 1;
