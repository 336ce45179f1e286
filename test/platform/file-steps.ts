import type { FileProblem, FileState, FileSystem } from "../../src/block/ports.ts";

/** One operation on places below a root, as data. */
export type FileStep =
  | readonly ["look" | "read" | "readPieces" | "hash" | "list" | "remove", path: string]
  | readonly ["replace", path: string, text: string, mode?: number]
  | readonly ["makeDirectory" | "setMode", path: string, mode?: number]
  | readonly ["makeLink", path: string, target?: string]
  | readonly ["rename", from: string, to: string];

export const temporary = ".temporary";

/** What came of it: the contents, their hash, the names, what lies there, "done", or the problem as text. */
export async function perform(files: FileSystem, root: string, step: FileStep): Promise<unknown> {
  const place = { root, path: step[1] };
  switch (step[0]) {
    case "look": {
      const found: FileState | FileProblem = await files.look(place);
      return "message" in found ? tell(found) : found;
    }
    case "read": {
      const read = await files.read(place, 1_000_000);
      return "bytes" in read ? Buffer.from(read.bytes).toString() : tell(read);
    }
    case "readPieces": {
      const pieces: string[] = [];
      const read = await files.readPieces(place, async (piece) => void pieces.push(Buffer.from(piece).toString()));
      return "message" in read ? tell(read) : pieces.join("");
    }
    case "hash": {
      const hashed = await files.hash(place);
      return "sha256" in hashed ? hashed.sha256 : tell(hashed);
    }
    case "list": {
      const names = await files.list(place);
      return "message" in names ? tell(names) : names;
    }
    case "remove":
      return tell(await files.remove(place));
    case "replace":
      return tell(await files.replace(place, Buffer.from(step[2]), step[3] ?? 0o644, temporary));
    case "makeDirectory":
      return tell(await files.makeDirectory(place, step[2] ?? 0o755));
    case "setMode":
      return tell(await files.setMode(place, step[2] ?? 0o700));
    case "makeLink":
      return tell(await files.makeLink(place, step[2] ?? "target"));
    case "rename":
      return tell(await files.rename(place, { root, path: step[2] }));
  }
}

function tell(problem: FileProblem | undefined): string {
  return problem === undefined ? "done" : `${problem.kind}: ${problem.message}`;
}
