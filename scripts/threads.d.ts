export const threads: Readonly<Record<string, string>>;
export function buildThread(program: string, outfile: string): void;
export function buildThreads(directory: string): void;
