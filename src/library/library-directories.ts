import { isAbsolute, join } from "node:path";
import type { LibraryDirectory } from "./library.ts";
import { projectDirectory } from "./project-directory.ts";
import { judgeProject } from "./project-trust.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

export interface LibraryPlaces {
  readonly builtIn: string;
  readonly home: string;
  readonly workspace: string;
  /** WORKFLOWS_TEMPLATE_PATHS: directories separated by commas. */
  readonly templatePaths: string;
}

/** Where workflows come from, in the order in which a later place wins. */
export function libraryDirectories(places: LibraryPlaces, platform: WorkflowFiles): LibraryDirectory[] {
  const named = places.templatePaths
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "")
    .map((path) => namedDirectory(path, places.home));
  const [own, ofProject] = [places.home, places.workspace].map((root) => join(root, projectDirectory)) as [
    string,
    string,
  ];
  const judge = judgeProject(places.workspace, platform);
  return [
    { path: places.builtIn, source: "built-in", expected: false },
    { path: own, source: "user", expected: false },
    ...named,
    // Whoever works in their home directory has no other project there.
    ...(own === ofProject ? [] : [{ path: ofProject, source: "project", judge, expected: false } as const]),
  ];
}

/** A relative path would mean whatever lies in the directory Frond is started in, which nobody has vouched for. */
function namedDirectory(path: string, home: string): LibraryDirectory {
  const named = { path, source: "template-path", expected: true } as const;
  if (path === "~" || path.startsWith("~/")) return { ...named, path: join(home, path.slice(1)) };
  if (isAbsolute(path)) return named;
  const rule = "must be an absolute path or start with ~";
  return { ...named, problem: `The workflow directory ${path} is ignored: it ${rule} (WORKFLOWS_TEMPLATE_PATHS).` };
}
