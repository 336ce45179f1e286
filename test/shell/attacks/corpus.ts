import { args } from "./args.ts";
import { arithmeticAndTests } from "./arithmetic-and-tests.ts";
import { arrays } from "./arrays.ts";
import type { AttackGroup } from "./attack.ts";
import { builtinsThatEvaluate } from "./builtins-that-evaluate.ts";
import { dash } from "./dash.ts";
import { env } from "./env.ts";
import { functionsAndScopes } from "./functions-and-scopes.ts";
import { indirectNames } from "./indirect-names.ts";
import { inlineProgramVariables } from "./inline-program-variables.ts";
import { interpreters } from "./interpreters.ts";
import { launchers } from "./launchers.ts";
import { pipesAndHereDocuments } from "./pipes-and-here-documents.ts";
import { programOptions } from "./program-options.ts";
import { redirections } from "./redirections.ts";
import { specialParameters } from "./special-parameters.ts";
import { stdin } from "./stdin.ts";
import { valuesThatComeBack } from "./values-that-come-back.ts";
import { writtenAndRun } from "./written-and-run.ts";

export const corpus: readonly AttackGroup[] = [
  args,
  arithmeticAndTests,
  arrays,
  builtinsThatEvaluate,
  dash,
  env,
  functionsAndScopes,
  indirectNames,
  inlineProgramVariables,
  interpreters,
  launchers,
  pipesAndHereDocuments,
  programOptions,
  redirections,
  specialParameters,
  stdin,
  valuesThatComeBack,
  writtenAndRun,
];
