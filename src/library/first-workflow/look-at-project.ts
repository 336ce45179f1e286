import type { Ports } from "../../block/ports.ts";
import type { ProjectFacts } from "./project-kind.ts";

/** Whatever a kind of project may ask for. */
const directories = ["", "tests", "test", "src", "crates", "cmd", "internal", "pkg", ".venv/bin"];
const files = [
  "package.json",
  "pyproject.toml",
  "requirements.txt",
  "requirements-dev.txt",
  "dev-requirements.txt",
  "setup.py",
  "setup.cfg",
  "pytest.ini",
  "tox.ini",
  "GNUmakefile",
  "makefile",
  "Makefile",
];
const mostBytes = 1_000_000;
const mostNames = 100_000;

/** Reads what tells of what a project is made with. What can't be read is not there. */
export async function lookAtProject(root: string, { files: disk, environment }: Ports): Promise<ProjectFacts> {
  const names = new Map<string, readonly string[]>();
  for (const path of directories) {
    const listed = await disk.list({ root, path }, mostNames);
    if (!("kind" in listed)) names.set(path, listed);
  }
  const texts = new Map<string, string>();
  for (const path of files.filter((file) => names.get("")?.includes(file))) {
    const read = await disk.read({ root, path }, mostBytes);
    if ("bytes" in read) texts.set(path, Buffer.from(read.bytes).toString());
  }
  return {
    names: (directory = "") => names.get(directory) ?? [],
    text: (path) => texts.get(path),
    hasProgram: (name) => environment.findProgram(name) !== undefined,
  };
}
