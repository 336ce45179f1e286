import { readLaunch } from "./command-launchers.ts";
import { placesGiven } from "./directory-programs.ts";
import { imageRun, installs } from "./installers.ts";
import {
  findInterpreter,
  isShell,
  type ProgramUse,
  programName,
  readInterpreterUse,
  readShellUse,
} from "./interpreters.ts";
import { launchesOperand } from "./program-text-options.ts";
import { hasValue, type Word } from "./shell-syntax.ts";

const mostLaunches = 20;

/**
 * The words of a command that decide which program runs, and hold a value: its name, a script's file, a program's text, a package
 * to install, the directory that it is to take its commands from.
 */
export function chosenPrograms(words: readonly Word[]): readonly Word[] {
  let command = words;
  for (let launches = 0; launches < mostLaunches; launches += 1) {
    const [first, ...parameters] = command;
    if (first === undefined) return [];
    if (hasValue(first)) return [first];
    const name = programName(first);
    const launch = readLaunch(name, parameters);
    if (launch === undefined) return chosenParameters(name, parameters).filter(hasValue);
    const chosen = launch.code.filter(hasValue);
    if (chosen.length > 0) return chosen;
    command = launch.command;
  }
  return [];
}

function chosenParameters(name: string, parameters: readonly Word[]): readonly Word[] {
  if (name === "source" || name === "." || name === "eval") return parameters;
  if (installs(name, parameters)) return parameters;
  const image = imageRun(name, parameters);
  const places = [...placesGiven(name, parameters), ...(image === undefined ? [] : [image])];
  if (places.some(hasValue)) return places;
  const use = readUse(name, parameters);
  if (use !== undefined)
    return [...use.code, ...(use.chosen === undefined ? [] : [use.chosen]), ...ofModule(use, parameters)];
  if (launchesOperand(name)) return parameters.filter((word) => !word.text.startsWith("-")).slice(0, 1);
  // `docker exec box sh -c "..."`: any program may run a shell that is named among its arguments.
  const at = parameters.findIndex((word) => readUse(programName(word), []) !== undefined);
  return at === -1 ? [] : chosenParameters(programName(parameters[at] as Word), parameters.slice(at + 1));
}

/** `python -m pip install x`: the module is a program with arguments of its own. */
function ofModule({ chosen }: ProgramUse, parameters: readonly Word[]): readonly Word[] {
  const at = chosen === undefined ? -1 : parameters.indexOf(chosen);
  if (chosen === undefined || at < 1 || !/^-[A-Za-z]*m$/.test(parameters[at - 1]?.text ?? "")) return [];
  return chosenParameters(chosen.text, parameters.slice(at + 1));
}

function readUse(name: string, parameters: readonly Word[]): ProgramUse | undefined {
  if (isShell(name)) return readShellUse(parameters);
  const interpreter = findInterpreter(name);
  return interpreter === undefined ? undefined : readInterpreterUse(interpreter, parameters);
}
