export function measurePage(directory: string): { readonly firstView: number; readonly all: number };
