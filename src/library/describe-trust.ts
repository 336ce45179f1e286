import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { LibraryEntry, Standing } from "./library.ts";
import { nameChanges, type ProjectSurvey, projectOf } from "./project-trust.ts";

export const howItStands: Readonly<Record<Standing, string>> = {
  trusted: "is trusted",
  untrusted: "comes from this project, which is not trusted yet",
  new: "is new, and not trusted yet",
  changed: "has changed since it was trusted",
  "other-owner": "comes from a directory that belonged to another user when it was trusted",
};

/** Why a file of a project may not be used, and what has changed in the project since a person looked at it. */
export function describeUntrusted(what: string, file: string, standing: Standing, survey: ProjectSurvey): Diagnostic {
  const { project, changes, isKnown } = survey;
  const changed = isKnown ? nameChanges(changes) : undefined;
  const inAll = changed === undefined ? "" : ` In this project: ${changed}.`;
  return {
    code: "untrusted-workflow",
    level: "error",
    message: `${what} ${howItStands[standing]}.${inAll}`,
    why: "A workflow in a directory that others can write to can run any command.",
    advice: { kind: "trust-project", file, project, isKnown },
  };
}

/** The same for a file that is in no project's own directory, where that is asked for. */
export function refuseUnjudged(what: string): Diagnostic {
  return {
    code: "untrusted-workflow",
    level: "error",
    message: `${what} is in no library of workflows, and only those are used here.`,
    fix: "Move it to the .frond/workflows of the project, where a person can trust it.",
  };
}

/** That a file of a project takes the name of a workflow that comes with Frond. */
export function mentionOverridden({ name, file, source, trusted, overrides }: LibraryEntry): Diagnostic | undefined {
  const builtIn = overrides.find((other) => other.source === "built-in");
  if (source !== "project" || builtIn === undefined) return undefined;
  return {
    code: "replaces-built-in",
    level: "hint",
    message: `${file} ${trusted ? "replaces" : "would replace"} the built-in workflow '${name}' in this project.`,
    fix: "Give it another name if that is not intended.",
  };
}

/** Whether a remark says that the name means another workflow than a reader may think. */
export function isAboutChoice({ code }: Diagnostic): boolean {
  return code === untrustedOverride;
}

const untrustedOverride = "untrusted-override";

/** That the name means another workflow than the one the project has under it. */
export function mentionUnused(used: LibraryEntry, unused: LibraryEntry): Diagnostic {
  return {
    code: untrustedOverride,
    level: "warning",
    message: `'${used.name}' is the one in ${used.file}: the project's own, ${unused.file}, is not trusted.`,
    advice: { kind: "trust-project", file: unused.file, project: projectOf(unused.file) ?? used.file, isKnown: true },
  };
}
