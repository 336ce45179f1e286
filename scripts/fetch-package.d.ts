export function fetchPackage(name: string, version: string, file: string): string | undefined;
export function fetchNode(version: string): string | undefined;
