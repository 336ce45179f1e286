export function buildTemplateThread(outfile: string): void;
