export function buildPage(directory: string): Promise<void>;
