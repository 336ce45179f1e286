import { args } from "./args.ts";
import { arithmeticAndTests } from "./arithmetic-and-tests.ts";
import { arrays } from "./arrays.ts";
import { associativeArrays } from "./associative-arrays.ts";
import type { AttackGroup } from "./attack.ts";
import { builtinSpellings } from "./builtin-spellings.ts";
import { builtinsThatEvaluate } from "./builtins-that-evaluate.ts";
import { computedCommands } from "./computed-commands.ts";
import { dash } from "./dash.ts";
import { env } from "./env.ts";
import { filesByOtherNames } from "./files-by-other-names.ts";
import { filesRunOtherwise } from "./files-run-otherwise.ts";
import { filesWrittenOtherwise } from "./files-written-otherwise.ts";
import { fixedTextsThatRun } from "./fixed-texts-that-run.ts";
import { functionsAndScopes } from "./functions-and-scopes.ts";
import { furtherPrograms } from "./further-programs.ts";
import { heldNames } from "./held-names.ts";
import { indirectNames } from "./indirect-names.ts";
import { inlineProgramVariables } from "./inline-program-variables.ts";
import { inputAsArguments } from "./input-as-arguments.ts";
import { interpreters } from "./interpreters.ts";
import { lateDeclarations } from "./late-declarations.ts";
import { launchers } from "./launchers.ts";
import { listsAndWrappers } from "./lists-and-wrappers.ts";
import { moreProgramOptions } from "./more-program-options.ts";
import { namesOfFilesAndDirectories } from "./names-of-files-and-directories.ts";
import { pipesAndHereDocuments } from "./pipes-and-here-documents.ts";
import { programOptions } from "./program-options.ts";
import { quotedNames } from "./quoted-names.ts";
import { redirections } from "./redirections.ts";
import { specialParameters } from "./special-parameters.ts";
import { stdin } from "./stdin.ts";
import { textsInVariables } from "./texts-in-variables.ts";
import { valuesThatComeBack } from "./values-that-come-back.ts";
import { writtenAndRun } from "./written-and-run.ts";

export const corpus: readonly AttackGroup[] = [
  args,
  arithmeticAndTests,
  arrays,
  associativeArrays,
  builtinSpellings,
  builtinsThatEvaluate,
  computedCommands,
  dash,
  env,
  filesByOtherNames,
  filesRunOtherwise,
  filesWrittenOtherwise,
  fixedTextsThatRun,
  functionsAndScopes,
  furtherPrograms,
  heldNames,
  indirectNames,
  inlineProgramVariables,
  inputAsArguments,
  interpreters,
  lateDeclarations,
  launchers,
  listsAndWrappers,
  moreProgramOptions,
  namesOfFilesAndDirectories,
  pipesAndHereDocuments,
  programOptions,
  quotedNames,
  redirections,
  specialParameters,
  stdin,
  textsInVariables,
  valuesThatComeBack,
  writtenAndRun,
];
