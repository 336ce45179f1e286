import type { Catalog } from "../block/catalog.ts";
import { collectDiagnostics, type Report } from "../diagnostic/collect-diagnostics.ts";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import type { Reach, Source } from "../diagnostic/source.ts";
import { BoundedMap } from "../util/bounded-map.ts";
import { defined } from "../util/defined.ts";
import { allBlocks } from "./all-blocks.ts";
import { explainWorkflowKey } from "./foreign-keys.ts";
import { type Keys, listKeys, readKeys, refuseUnknown } from "./key.ts";
import { loadEnv } from "./load-env.ts";
import { refuseHiddenIds } from "./load-group.ts";
import { FileVars } from "./load-vars.ts";
import { KeyReader, MapReader } from "./map-reader.ts";
import { readFaultyYaml, readYaml } from "./read-yaml.ts";
import type { WorkflowDefinition } from "./workflow-definition.ts";
import { workflowKeys } from "./workflow-keys.ts";
import { describeNode, type YamlNode } from "./yaml-node.ts";

export interface Loaded {
  /** Absent when the file is too broken to say what the workflow is. */
  readonly definition?: WorkflowDefinition;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a list shows of a workflow; those that come with Frond have no schedule. */
export type WorkflowHead = Pick<WorkflowDefinition, "description" | "tags" | "schedule">;

export interface WorkflowLoader {
  load(source: Source): Loaded;
  /** Only what a list shows, without a look at the blocks, which takes most of the time; nothing when it can't be read. */
  head(source: Source): WorkflowHead | undefined;
}

export function createLoader(catalog: Catalog): WorkflowLoader {
  return { load: (source) => loadWorkflow(source, catalog), head: loadHead };
}

/** Characters of texts; what is made of a text takes many times its size. */
const mostRemembered = 1_000_000;

/** The same for those who ask for the same files again and again: a text that has not changed is loaded once. */
export function createRememberingLoader(catalog: Catalog): WorkflowLoader {
  const known = new BoundedMap<{ readonly source: Source; readonly loaded: Loaded }>(mostRemembered);
  return {
    load(source) {
      const found = known.get(source.name);
      if (found?.source.text === source.text && isSameReach(found.source.reach, source.reach)) return found.loaded;
      const loaded = loadWorkflow(source, catalog);
      known.set(source.name, { source, loaded }, source.text.length);
      return loaded;
    },
    head: loadHead,
  };
}

function isSameReach(one: Reach | undefined, other: Reach | undefined): boolean {
  return one?.base === other?.base && one?.root === other?.root && one?.isGiven === other?.isGiven;
}

function loadHead(source: Source): WorkflowHead | undefined {
  const yaml = readYaml(source);
  if (!yaml.ok || yaml.value.kind !== "map") return undefined;
  const root = yaml.value;
  const { description, tags } = workflowKeys;
  const head = collectDiagnostics((report) =>
    readKeys({ description, tags } as Keys<WorkflowHead>, new MapReader(root, "the workflow", report), undefined),
  );
  return hasErrors(head.diagnostics) ? undefined : head.value;
}

/** Text to definition. Every problem of the file is reported at once; a definition with errors must not be run. */
export function loadWorkflow(source: Source, catalog: Catalog): Loaded {
  const { value: root, diagnostics: faults } = readFaultyYaml(source);
  if (root === undefined) return { diagnostics: faults };
  const { value: definition, diagnostics } = collectDiagnostics((report) =>
    readWorkflow(root, source, catalog, report),
  );
  return { ...defined({ definition }), diagnostics: [...faults, ...diagnostics] };
}

/** The same for a workflow that stands in another document, which is the source its problems point into. */
export function readWorkflow(
  root: YamlNode,
  source: Source,
  catalog: Catalog,
  report: Report,
): WorkflowDefinition | undefined {
  if (root.kind !== "map") {
    const message = `A workflow is a map with name, description and blocks, not ${describeNode(root)}.`;
    report({ code: "wrong-type", level: "error", message, range: root.range });
    return undefined;
  }
  const written = root.entries.find(({ key }) => key === "vars")?.value;
  const vars = new FileVars(written?.kind === "map" ? written : undefined, report);
  const env = loadEnv(new KeyReader(new MapReader(root, "the workflow", vars.report), "env"));
  const map = new MapReader(root, "the workflow", Object.assign(vars.report, defined({ env })));
  refuseUnknown(map, listKeys(workflowKeys), explainWorkflowKey);
  const unreadable = new Set<string>();
  const { finallyBlocks, ...fields } = readKeys(workflowKeys, map, { catalog, unreadable, vars, env });
  vars.finish();
  const blocks = [...fields.blocks, ...finallyBlocks];
  const nameRange = map.node("name")?.range ?? root.range;
  const definition: WorkflowDefinition = { source, nameRange, ...fields, blocks, unreadable };
  refuseHiddenIds(definition.blocks, report);
  if (definition.expose !== undefined) warnOfSecretInputs(definition, map);
  if (definition.sandbox?.network === "none") warnOfNetworks(definition, map.report);
  return definition;
}

function warnOfNetworks(definition: WorkflowDefinition, report: Report): void {
  for (const { id, sandbox, range } of allBlocks(definition)) {
    if (sandbox?.network !== "host") continue;
    report({
      code: "network-without-effect",
      level: "warning",
      message: `block '${id}' has no network, because the sandbox of the workflow has none.`,
      why: "A sandbox inside another one can be tighter than that, never wider.",
      fix: "Write `sandbox: { network: host }` on the workflow and `sandbox: true` on the blocks that need no network.",
      range,
    });
  }
}

function warnOfSecretInputs({ inputs }: WorkflowDefinition, map: MapReader): void {
  const secret = [...inputs.values()].find((input) => input.secret);
  if (secret === undefined) return;
  map.report({
    code: "secret-not-exposed",
    level: "warning",
    message: `The workflow does not become a tool, because its input '${secret.name}' is secret.`,
    why: "What a client passes to a tool is recorded in many places.",
    fix: "Expose a workflow that calls this one and hands the secret over.",
    range: map.node("expose")?.range ?? map.map.range,
  });
}
