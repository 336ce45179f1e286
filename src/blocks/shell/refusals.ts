import type { Refusal } from "./command-problem.ts";
import { isShell } from "./interpreters.ts";

/** Refusals by the place in the shell's grammar; those by command are in reparsing-commands.ts. */

const arithmeticWhy = "bash runs commands it finds in the contents of a number, as in a[$(command)].";

export const evaluatedNumber: Refusal = {
  takes: "number",
  code: "value-in-arithmetic",
  where: "where bash calculates with its contents",
  why: arithmeticWhy,
  fixesReference: true,
  fix: (reference) =>
    `Calculate with a checked integer: n=$(( ${reference} )); from a list or a command's output, n=$(printf %d "$text").`,
};

export const evaluatedSubscript: Refusal = {
  ...evaluatedNumber,
  code: "value-in-subscript",
  where: "in an array subscript",
};

export const indirectName: Refusal = {
  takes: "fixed",
  code: "value-as-name",
  where: "in ${!name}, which takes its contents for the name of a variable",
  why: arithmeticWhy,
  fix: () => "Choose between the variables with case, or keep them in an associative array (declare -A).",
};

export const evaluatedPrompt: Refusal = {
  takes: "plain",
  code: "value-in-code",
  where: "in ${name@P}, which expands its contents once more",
  why: "Commands in the contents are run.",
  fix: (reference) => `Use it as it is: "${reference.replace("@P", "")}".`,
};

export const insideBackticks: Refusal = {
  takes: "fixed",
  code: "value-in-backticks",
  where: "inside backticks",
  why: "Quoting inside backticks is read twice, so that no spelling is safe there.",
  fix: (reference) => `Write $(...) instead of the backticks: $(command "${reference}").`,
};

export const insideExpansion: Refusal = {
  takes: "plain",
  code: "value-in-expansion",
  where: "inside a ${...} of the shell",
  why: "Only the operators :- - :+ and + leave the text after them alone.",
  fix: (reference) => `Put it into a variable first: v="${reference}", then use "$v" there.`,
};

export const insideSubstring: Refusal = {
  takes: "number",
  code: "value-in-arithmetic",
  where: "in the offset or length of a ${name:offset:length}",
  why: arithmeticWhy,
  fix: (reference) => `Make it a number first, which fails for anything else: n=$(( ${reference} )), then \${name:n}.`,
};

export const insideSubscript: Refusal = {
  takes: "number",
  code: "value-in-subscript",
  where: "in an array subscript",
  why: arithmeticWhy,
  fix: (reference) => `Make it a number first, which fails for anything else: n=$(( ${reference} )), then name[n].`,
};

export const insideArithmeticCommand: Refusal = {
  takes: "number",
  code: "value-in-arithmetic",
  where: "inside (( ))",
  why: arithmeticWhy,
  fix: (reference) => `Compare with [ "${reference}" -gt 5 ], or calculate with $(( ${reference} + 1 )).`,
};

export const insideOldArithmetic: Refusal = {
  takes: "number",
  code: "value-in-arithmetic",
  where: "inside $[ ]",
  why: arithmeticWhy,
  fix: (reference) => `Write $(( ${reference} )), where only integers are accepted.`,
};

export const numericTest: Refusal = {
  takes: "number",
  code: "value-in-arithmetic",
  where: "as a number inside [[ ]]",
  why: arithmeticWhy,
  fix(reference) {
    // The name of a variable is enough inside of [[ ]], and only there.
    const written = /^[A-Za-z_]\w*$/.test(reference) ? `$${reference}` : reference;
    return `Use single brackets, which take plain numbers only: [ "${written}" -gt 5 ].`;
  },
};

export const variableTest: Refusal = {
  takes: "fixed",
  code: "value-as-name",
  where: "as the name of a variable in a test",
  why: arithmeticWhy,
  fix: () => "Name the variable in the command itself.",
};

export const hereDocumentDelimiter: Refusal = {
  code: "value-in-delimiter",
  where: "in the delimiter of a here-document",
  why: "The shell does not expand a delimiter.",
  fix: () => "Use a fixed word such as EOF; a value in the body can't end it.",
};

export const loopName: Refusal = {
  code: "value-as-name",
  where: "as the name of a variable",
  why: "The name would choose which variable is changed.",
  fix: () => "Name the variable in the command itself.",
};

export const asCommand: Refusal = {
  code: "value-as-command",
  where: "where the shell expects the name of a command",
  why: "The value would choose what runs, eval included.",
  fix: () => "Name the program in the command, or use args: [...], which runs a program without a shell.",
};

/** With nothing but the author's own words behind it, the worst a value can be is the wrong program. */
export const asProgramName: Refusal = {
  ...asCommand,
  takes: "fixed",
  level: "warning",
  why: "The whole value is taken for the name of one program; it is not split into words.",
  fix: () => "If it holds arguments too, give them as a list: args: [...].",
};

/** `./scripts/${inputs.name}.sh` */
export const asScriptName: Refusal = {
  ...asCommand,
  takes: "file",
  level: "warning",
  where: "in the name of the file that is run",
  why: "A value such as ../name chooses a file anywhere.",
  fix: () => "Choose between fixed names with case, or declare the input with an enum.",
};

export const evaluatedVariable: Refusal = {
  takes: "number",
  code: "value-in-code",
  where: "in the assignment of a variable whose contents bash evaluates",
  why: "Integer variables, name references and variables such as PS4 or BASH_ENV run commands found in their contents.",
  fix: () => "Assign it to a variable that bash does not evaluate: one without declare -i or -n, such as v.",
};

export const duplicatedDescriptor: Refusal = {
  takes: "plain",
  code: "value-in-code",
  where: "behind >&, where bash expands the contents once more",
  why: "Commands in the contents are run.",
  fix: (reference) => `Send both streams to a file with &>: command &> "${reference}".`,
};

/** The file may hold the value as text of that language, quoted as it should be, so this can only be a warning. */
export function writtenProgram(file: string): Refusal {
  return {
    code: "value-in-run-file",
    level: "warning",
    where: `in what is written to ${file}, which this command then runs`,
    why: "The value is parsed there as part of the program.",
    fix: (reference) => `Leave the file fixed and pass the value as an argument or in env: { VALUE: "${reference}" }.`,
  };
}

/** `GIT_SSH_COMMAND="ssh -i ${inputs.key}"` */
export function programVariable(name: string): Refusal {
  return {
    code: "value-in-code",
    takes: "fixed",
    where: `in the variable ${name}`,
    why: "A program runs what this variable holds, or takes options from it that run something.",
    fix: () => `Write the value of ${name} out.`,
  };
}

/** `CFLAGS="${inputs.flags}" make`, `HOME="${inputs.dir}" git status` */
export function settingVariable(name: string): Refusal {
  return {
    ...programVariable(name),
    level: "warning",
    why:
      name === "HOME"
        ? "Programs read their settings there, and settings of git, npm or a shell name commands to run."
        : "make and its relatives put what it holds into the commands they run.",
  };
}

/** `local parts="$1"` where parts is an array. */
export function arrayText(command: string): Refusal {
  return {
    code: "value-in-code",
    takes: "plain",
    where: `in the text that ${command} gives to an array`,
    why: "bash reads such a text as the elements of the array, and runs commands it finds there.",
    fix: (reference) => `Give the array its elements: name=("${reference}").`,
  };
}

export const searchPath: Refusal = {
  takes: "fixed",
  code: "value-in-path",
  level: "warning",
  where: "in PATH",
  why: "It decides which programs are run by their names.",
  fix: () => "Call the program by its path instead.",
};

/** `find -exec sh -c 'echo {}'` */
export const pastedName: Refusal = {
  code: "value-in-code",
  where: "in the name of a file that find pastes into a program's text",
  why: "The name is parsed there as code.",
  fix: () => "Pass it as an argument: find ... -exec sh -c 'echo \"$1\"' _ {} \\;.",
};

/** `program` is what reads it, if that is known. */
export function programOnStandardInput(program: string): Refusal {
  const isRemote = program === "ssh";
  return {
    code: "value-in-code",
    takes: isRemote || isShell(program) ? "shell" : { program },
    where: "in the program text an interpreter reads from its standard input",
    why: "The interpreter would parse the value as part of the program.",
    fix(reference) {
      if (isRemote) return `Let the remote command read it: ssh host 'read -r v; echo "$v"' <<< "${reference}".`;
      if (isShell(program)) {
        return `Pass the value as an argument, as in ${program} -s -- "${reference}" <<'EOF', and use "$1" in the text.`;
      }
      return `Put the value into the environment, and quote the delimiter: VALUE="${reference}" ${program} ... <<'EOF'.`;
    },
  };
}

export const pipedProgram: Refusal = {
  code: "value-piped-to-interpreter",
  where: "in what another command reads as its program",
  why: "What comes through a pipe or a redirection is parsed as code there.",
  fix: (reference) => `Pass it as an argument: bash -c '... "$1"' _ "${reference}".`,
};

/** A program that fetches what it prints does not print its arguments. */
export const printedProgram: Refusal = {
  ...pipedProgram,
  takes: "fixed",
  level: "warning",
  where: "in a command whose output another command runs as a program",
  why: "The value decides what program that is.",
};

/** The same refusal for a place that is not read well enough to accept anything there. */
export function ofEveryValue({ takes: _, ...refusal }: Refusal): Refusal {
  return refusal;
}
