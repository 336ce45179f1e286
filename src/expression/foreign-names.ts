/** Names that other languages and systems have where this one has another, each with what to write here. */
type Advice = Readonly<Record<string, string>>;

const alwaysRuns = "Write true, or leave the condition out: a block without one always runs.";

/** Words for a whole condition; as a part of one they may well be text. */
const conditions: Advice = {
  yes: alwaysRuns,
  on: alwaysRuns,
  always: alwaysRuns,
  no: "Write false.",
  off: "Write false.",
  never: "Write false.",
};

const words: Advice = {
  true: "Write true.",
  false: "Write false.",
  null: "Write null.",
  none: "Write null.",
  nil: "Write null.",
  undefined: "Write null.",
  item: "Write each.value.",
  element: "Write each.value.",
  each: "Write each.value.",
};

const roots: Readonly<Record<string, string>> = {
  step: "blocks",
  steps: "blocks",
  job: "blocks",
  jobs: "blocks",
  task: "blocks",
  tasks: "blocks",
  needs: "blocks",
  params: "inputs",
  parameters: "inputs",
  args: "inputs",
  variables: "vars",
  item: "each.value",
  element: "each.value",
  matrix: "each.value",
  self: "this",
  result: "this",
};

const afterAll =
  "To run after any failure, put the block under `finally:` of the workflow, with `condition: ${run.status} == 'failure'`.";

const pluck = "Use pluck(list, 'path') for a list of what each item has at the path.";
const where = "Use where(list, 'path', value) for the items that have the value at the path.";
const noClock = "Write metadata.start_time for the time at which the run started, or use date in a command.";
const noChance = "Write metadata.run_id for a text that no other run has.";
const oneIfOther = "Write a if condition else b.";
const count = "Compare the number of items: len(where(list, 'path', value)) > 0.";
const asText = "Write the text with the values in it: 'a ${inputs.b}'.";

const calls: Advice = {
  map: pluck,
  mapattr: pluck,
  attr: pluck,
  column: pluck,
  extract: pluck,
  pick: pluck,
  select: `${where} ${pluck}`,
  filter: where,
  selectattr: where,
  find: `${where} first(...) is the first of them.`,
  reject: where,
  reduce: "Use sum(list), join(list, ','), min(list) or max(list); anything else belongs into a command.",
  fold: "Use sum(list), join(list, ','), min(list) or max(list); anything else belongs into a command.",
  any: count,
  some: count,
  all: count,
  every: count,
  enumerate: "Use zip(range(len(list)), list).",
  items: "Use zip(keys(map), values(map)).",
  entries: "Use zip(keys(map), values(map)).",
  concat: "Write a + b for two texts or two lists, or join([a, b]).",
  append: "Write list + [item].",
  push: "Write list + [item].",
  empty: "Write len(value) == 0.",
  isempty: "Write len(value) == 0.",
  get: "Write map['key'], or default(map['key'], other).",
  ternary: oneIfOther,
  iif: oneIfOther,
  cond: oneIfOther,
  format: asText,
  sprintf: asText,
  printf: asText,
  now: noClock,
  today: noClock,
  date: noClock,
  time: noClock,
  timestamp: noClock,
  utcnow: noClock,
  uuid: noChance,
  random: noChance,
  env: "The environment can't be read in expressions; use $NAME in a command.",
  getenv: "The environment can't be read in expressions; use $NAME in a command.",
  file: "Read the file with a block of type ReadFile.",
  readfile: "Read the file with a block of type ReadFile.",
  hashfiles: "Compute it with sha256sum in a Shell block.",
  always: "To run whatever happened, put the block under `finally:` of the workflow, without a condition.",
  success: "Use ${blocks.ID.succeeded}.",
  failure: `Use ${"${blocks.ID.failed}"} for one block. ${afterAll}`,
  failed: `Use ${"${blocks.ID.failed}"} for one block. ${afterAll}`,
  cancelled: `${afterAll} It runs after cancelling too.`,
};

const functionNames: Readonly<Record<string, string>> = {
  length: "len",
  size: "len",
  count: "len",
  tolowercase: "lower",
  tolower: "lower",
  touppercase: "upper",
  toupper: "upper",
  strip: "trim",
  includes: "contains",
  replaceall: "replace",
  str: "string",
  tostring: "string",
  tojson: "json",
  parseint: "int",
  number: "float",
  matches: "regex_match",
  match: "regex_match",
  regex: "regex_match",
  test: "regex_match",
  fromjson: "from_json",
  parse_json: "from_json",
  parsejson: "from_json",
  json_parse: "from_json",
  json_decode: "from_json",
  to_json: "json",
  dumps: "json",
  loads: "from_json",
  stringify: "json",
  json_encode: "json",
  sort: "sorted",
  uniq: "unique",
  distinct: "unique",
  set: "unique",
  coalesce: "default",
  flat: "flatten",
  chain: "flatten",
  has: "contains",
  starts_with: "startswith",
  ends_with: "endswith",
  boolean: "bool",
  integer: "int",
};

function find(names: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(names, key) ? names[key] : undefined;
}

/** A word that nothing is read from; `isWhole` when it is all of the expression. */
export function adviseOnWord(word: string, isWhole: boolean): string | undefined {
  return find(words, word) ?? (isWhole ? find(conditions, word) : undefined);
}

/** A word that something is read from: `steps` in `steps.build.outputs`. */
export function adviseOnRoot(word: string, step: string): string | undefined {
  if (/^(?:env|environ)$/i.test(word)) return environmentAdvice(step === "" ? "NAME" : step);
  const root = find(roots, word);
  const below = step === "" ? "" : `.${step}`;
  return root === undefined ? undefined : `Write ${root}${below} for ${word}${below}.`;
}

/** What is written in capitals may be meant as a variable of the environment. */
export function adviseOnVariable(word: string): string | undefined {
  return /^[A-Z][A-Z0-9_]+$/.test(word) ? environmentAdvice(word) : undefined;
}

function environmentAdvice(name: string): string {
  return `The environment can't be read in expressions; use $${name} in a command.`;
}

export function adviseOnCall(name: string): string | undefined {
  return find(calls, name);
}

/** The function of this language that does what a function or method of another does. */
export function functionMeant(name: string): string | undefined {
  return find(functionNames, name);
}
