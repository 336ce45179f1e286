import { join } from "node:path";

/** Everything of a project that Frond runs lies in it: workflows, and the tests of workflows. */
export const ownDirectory = ".frond";
/** Where workflows of a project are looked for by name. */
export const projectDirectory: string = join(ownDirectory, "workflows");
