import { didYouMean } from "../diagnostic/did-you-mean.ts";
import { describeValue, quoteText } from "../expression/format-value.ts";
import { isList, isMap, type Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import type { Action, PlannedBlock } from "./action.ts";
import type { Field, Fields, ReadFields } from "./field.ts";
import { fieldName } from "./field-name.ts";
import { type KnownActions, namedActions } from "./known-actions.ts";
import { actionNames, containerNames, remarks, stepFields } from "./step-fields.ts";
import type { ReadStep } from "./structured-plan.ts";

/** Says what is wrong with the step, as the rest of a sentence that begins with its name. */
export type ReportStep = (code: string, message: string, fix?: string) => void;

/** Something that a step says, and the key under which it says it. */
interface Said {
  readonly key: string;
  readonly name: string;
  readonly value: Value;
}

export function readStep(written: Value, number: number, actions: KnownActions, report: ReportStep): ReadStep {
  if (!isMap(written)) {
    const fix = 'Write {"action_type": "run_command", "command": "..."}.';
    report("bad-step", `must be a map, not ${describeValue(written)}.`, fix);
    return { number };
  }
  const all = entriesOf(written);
  const held = all.flatMap((said) => (isHolder(said) ? entriesOf(said.value) : []));
  const { action, rest } = takeAction(all, held, actions, report);
  const { fields, others } = sortFields(rest(all), rest(held), action);
  const common = readFields(fields, stepFields, report);
  const planned = action === undefined ? undefined : planBlock(action, fields, others, common.description, report);
  return {
    number,
    ...defined({
      id: common.step_id,
      description: common.description,
      dependsOn: common.depends_on,
      rollbackOnFail: common.rollback_on_fail,
      maxRetries: common.max_retries,
      timeoutSeconds: common.timeout_seconds ?? common.timeout_ms,
      success: common.success_conditions,
      cost: common.cost,
      block: planned,
    }),
  };
}

/** What is null is left out. */
function entriesOf(map: Value): readonly Said[] {
  if (!isMap(map)) return [];
  return Object.entries(map).flatMap(([key, value]) => (value === null ? [] : [{ key, name: fieldName(key), value }]));
}

/** Whether it is a map of what the action takes, such as `parameters`, or `action` with all of it. */
function isHolder({ name, value }: Said): boolean {
  return isMap(value) && (containerNames.includes(name) || actionNames.includes(name));
}

interface TakenAction {
  readonly action: Action | undefined;
  /** What is left once it is known what names the action. */
  rest(said: readonly Said[]): readonly Said[];
}

/** The first name that says something that is known. What the others say is not lost: `action` may be what a browser does. */
function takeAction(
  all: readonly Said[],
  held: readonly Said[],
  actions: KnownActions,
  report: ReportStep,
): TakenAction {
  const said = [all, held].flatMap((some) =>
    actionNames.flatMap((name) => some.filter((one) => one.name === name && typeof one.value === "string")),
  );
  for (const one of said) {
    const action = actions.find(String(one.value));
    if (action !== undefined) return { action, rest: (some) => some.filter((other) => other !== one) };
  }
  const [first] = said;
  if (first === undefined) {
    const known = namedActions.map(({ name }) => name).join(", ");
    report("missing-action", "has no 'action_type'.", `Say what it does: ${known}, or a block type.`);
  } else {
    const name = String(first.value);
    report("unknown-action", `has the unknown action ${quoteText(name)}.`, actions.suggest(name));
  }
  return { action: undefined, rest: (some) => some.filter((other) => !said.includes(other)) };
}

interface SortedFields {
  /** By their usual names. */
  readonly fields: ReadonlyMap<string, Value>;
  readonly others: readonly Said[];
}

/** What an action means by a name goes before what all steps mean by it. */
function sortFields(all: readonly Said[], held: readonly Said[], action: Action | undefined): SortedFields {
  const { fields: own = {}, inputNames } = action ?? {};
  const usualNames = namesOf(own, stepFields);
  const isInput = ({ name }: Said): boolean => inputNames?.includes(name) === true;
  // Of a block that has an input of this name, and others beside it, the map is that input.
  const staysWhole = (said: Said): boolean =>
    !isHolder(said) || (isInput(said) && all.some((one) => one !== said && isInput(one)));
  const fields = new Map<string, Value>();
  const others: Said[] = [];
  const isOpened = all.some((said) => !staysWhole(said));
  for (const said of [...all.filter(staysWhole), ...(isOpened ? held : [])]) {
    const usual =
      inputNames !== undefined && (held.includes(said) || isInput(said)) ? undefined : usualNames.get(said.name);
    if (usual === undefined || fields.has(usual)) others.push(said);
    else fields.set(usual, said.value);
  }
  return { fields, others };
}

function namesOf(...all: readonly Fields[]): ReadonlyMap<string, string> {
  const entries = all.flatMap((fields) => Object.entries(fields));
  const usual = new Map(entries.map(([name]) => [name, name]));
  for (const [name, { otherNames = [] }] of entries) {
    for (const other of otherNames) if (!usual.has(other)) usual.set(other, name);
  }
  return usual;
}

/** What is required and missing is told elsewhere: a description may stand in for it. */
function readFields<const Of extends Fields>(
  values: ReadonlyMap<string, Value>,
  fields: Of,
  report: ReportStep,
): ReadFields<Of> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of values) {
    if (!Object.hasOwn(fields, name)) continue;
    const result = (fields[name] as Field).read(value);
    if (result.ok) read[name] = result.value;
    else report("bad-field", `has a '${name}' that ${result.error}.`);
  }
  return read as ReadFields<Of>;
}

function planBlock(
  action: Action,
  values: ReadonlyMap<string, Value>,
  others: readonly Said[],
  description: string | undefined,
  report: ReportStep,
): PlannedBlock | undefined {
  const read: ReadFields<Fields> = readFields(values, action.fields, report);
  if (action.inputNames !== undefined) {
    return planned(action, Object.fromEntries(others.map(({ key, value }) => [key, value])), report);
  }
  for (const said of others) refuseField(said, action, report);
  const { describedBy } = action;
  const isDescribed = describedBy !== undefined && !values.has(describedBy) && description !== undefined;
  const fields = isDescribed ? { ...read, [describedBy]: description } : read;
  const needed = Object.entries(action.fields).flatMap(([name, { required }]) => (required ? [name] : []));
  for (const name of needed) {
    if (fields[name] === undefined && !values.has(name))
      report("missing-field", `has no '${name}', which ${action.name} needs.`);
  }
  return needed.every((name) => fields[name] !== undefined) ? planned(action, fields, report) : undefined;
}

function planned(action: Action, fields: ReadFields<Fields>, report: ReportStep): PlannedBlock | undefined {
  const block = action.toBlock(fields);
  if (block.ok) return block.value;
  report("bad-step", block.error.message, block.error.fix);
  return undefined;
}

function refuseField({ name, value }: Said, action: Action, report: ReportStep): void {
  // Models write out the fields that they do not use, and say in other words what a step does.
  if (remarks.has(name) || isEmpty(value) || (actionNames.includes(name) && typeof value === "string")) return;
  const known = [...Object.keys(action.fields), ...Object.keys(stepFields)];
  if (known.includes(name) || namesOf(action.fields, stepFields).has(name)) {
    report("field-twice", `says '${name}' twice, in different words.`, "Remove one of them.");
    return;
  }
  const fix = didYouMean(name, known) ?? `${action.name} takes ${Object.keys(action.fields).join(", ")}.`;
  report("unknown-field", `has the field '${name}', which ${action.name} does not take.`, fix);
}

function isEmpty(value: Value): boolean {
  return value === "" || (isList(value) && value.length === 0) || (isMap(value) && Object.keys(value).length === 0);
}
