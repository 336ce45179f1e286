import { type GeneratedBlock, generateFlow, generateFlowValue } from "./generate-flow.ts";
import type { Random } from "./random.ts";

/** Scripts with values in all kinds of places, some of them broken, and values that try to be run. */

const reference = "${inputs.v}";

/** Half of the blocks lead a value from somewhere to somewhere, half put values into any kind of syntax. */
export function generateBlock(random: Random, shell: string): GeneratedBlock {
  return random.below(2) === 0 ? generateFlow(random, shell) : { command: generateScript(random) };
}

function generateScript(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(3) }, () => generateCommand(random, 0));
  const script = lines.join(random.pick(["\n", "\n", "; ", " && ", " | "]));
  return random.below(3) === 0 ? damage(script, random) : script;
}

type Shape = (random: Random, depth: number) => string;

const word: Shape = (random, depth) => random.pick(depth > 3 ? flatWords : words)(random, depth);
const inner: Shape = (random, depth) => generateCommand(random, depth + 1);

const flatWords: readonly Shape[] = [
  () => reference,
  () => `"${reference}"`,
  () => `'${reference}'`,
  () => `a${reference}b`,
  () => `"x ${reference} y"`,
  () => `'x ${reference} y'`,
  () => `$'x\\t${reference}\\''`,
  () => `$'\\${reference}'`,
  () => `$"${reference}"`,
  () => "plain",
  () => "$HOME",
  () => '"$X"',
  () => "$${inputs.v}",
  () => "\\${inputs.v}",
  () => `\\\\${reference}`,
  () => `{a,${reference}}`,
  () => `[${reference}]`,
  () => `@(a|${reference})`,
  () => `x=${reference}`,
  () => "$((1 + 2))",
  () => `#${reference}`,
  () => `x#${reference}`,
  () => `~/${reference}`,
  () => '"a\'b"',
  () => "'a\"b'",
  () => '\\"',
  () => "\\'",
];

const words: readonly Shape[] = [
  ...flatWords,
  ...flatWords,
  (random, depth) => `$(${inner(random, depth)})`,
  (random, depth) => `"$(${inner(random, depth)})"`,
  (random, depth) => `"a $(${inner(random, depth)}\n) b"`,
  (random, depth) => `\${UNSET:-${word(random, depth + 1)}}`,
  (random, depth) => `"\${UNSET-${word(random, depth + 1)}}"`,
  (random, depth) => `\${X:+${word(random, depth + 1)}}`,
  (random, depth) => `"\${X#${word(random, depth + 1)}}"`,
  (random, depth) => `\${X/a/${word(random, depth + 1)}}`,
  (random, depth) => `\${X:${word(random, depth + 1)}}`,
  (random, depth) => `<(${inner(random, depth)})`,
  (random, depth) => `\`${inner(random, depth)}\``,
  (random, depth) => `$((${word(random, depth + 1)}))`,
  (random, depth) => `"${word(random, depth + 1)}"`,
];

const commands: readonly Shape[] = [
  (random, depth) => `echo ${word(random, depth)}`,
  (random, depth) => `echo ${word(random, depth)} ${word(random, depth)}`,
  (random, depth) => `printf '%s' ${word(random, depth)}`,
  (random, depth) => `printf ${word(random, depth)} ${word(random, depth)}`,
  (random, depth) => `true ${word(random, depth)} # it's ${reference}\n`,
  (random, depth) => `Z=${word(random, depth)}`,
  (random, depth) => `Z=${word(random, depth)} true`,
  (random, depth) => `export Z=${word(random, depth)}`,
  (random, depth) => `z=(${word(random, depth)} ${word(random, depth)})`,
  (random, depth) => `z[${word(random, depth)}]=1`,
  (random, depth) => `z+=([${word(random, depth)}]=1)`,
  (random, depth) => `cat <<EOF\n${word(random, depth)} ${reference}\nEOF\n`,
  (random, depth) => `cat <<'EOF'\n$X \`y\` \\ ${word(random, depth)} ${reference}\nEOF\n`,
  (random, depth) => `cat <<"E O" <<-A\n$X ${word(random, depth)}\nE O\n\t${word(random, depth)}\n\tA\n`,
  (random, depth) => `cat <<EOF | ${inner(random, depth)}\n${reference}\\\nEOF\nEOF\n`,
  (random, depth) => `cat <<< ${word(random, depth)}`,
  (random, depth) => `cat < ${word(random, depth)} > out_${word(random, depth)}`,
  (random, depth) => `${inner(random, depth)} ${random.pick(redirections)} ${word(random, depth)}`,
  (random, depth) => `{ ${inner(random, depth)}\n} ${random.pick(redirections)}${word(random, depth)}`,
  (random, depth) => `exec ${random.pick(redirections)}${word(random, depth)}; ${inner(random, depth)}`,
  (random, depth) => `( ${inner(random, depth)} )`,
  (random, depth) => `{ ${inner(random, depth)}\n}`,
  (random, depth) => `if ${inner(random, depth)}\nthen ${inner(random, depth)}\nelse ${inner(random, depth)}\nfi`,
  (random, depth) => `for f in ${word(random, depth)} b; do ${inner(random, depth)}\ndone`,
  (random, depth) =>
    `case ${word(random, depth)} in a|${word(random, depth)}) ${inner(random, depth)}\n;; (*) ${inner(random, depth)}\nesac`,
  (random, depth) => `f() { ${inner(random, depth)}\n}; f ${word(random, depth)}`,
  (random, depth) => `[ ${word(random, depth)} = ${word(random, depth)} ]`,
  (random, depth) => `[ ${word(random, depth)} ${random.pick(["-gt", "=", "-a", "!=", ""])} ${word(random, depth)} ]`,
  (random, depth) => `[ ${random.pick(["-n", "-v", "-z", "!", "-e"])} ${word(random, depth)} ]`,
  (random, depth) => `test ${word(random, depth)} -o ${random.pick(["-n", "-v"])} ${word(random, depth)}`,
  (random, depth) =>
    `[[ ${word(random, depth)} ${random.pick(["==", "=~", "<", "-eq", "!="])} ${word(random, depth)} ]]`,
  (random, depth) =>
    `[[ ${random.pick(["-n", "-v", "! -z", "-R"])} ${word(random, depth)} && x == ${word(random, depth)} ]]`,
  (random, depth) => `((${word(random, depth)} > 1))`,
  (random, depth) => `(( X + 1 )); ${inner(random, depth)}`,
  (random, depth) => `! ${inner(random, depth)}`,
  (random, depth) => `time ${inner(random, depth)}`,
  (random, depth) => `${inner(random, depth)} | cat`,
  (random, depth) => `${inner(random, depth)} && ${inner(random, depth)}`,
  (random, depth) => `${inner(random, depth)} 2>&1`,
  (random, depth) => `${random.pick(launchers)}${random.pick(reparsing)} ${word(random, depth)} ${word(random, depth)}`,
  (random, depth) => `${random.pick(launchers)}${random.pick(reparsing)} ${word(random, depth)}`,
  (random, depth) => `${random.pick(launchers)}echo ${word(random, depth)}`,
  (random, depth) => `${random.pick(interpreters)} <<EOF\n${reference} ${word(random, depth)}\nEOF\n`,
  (random, depth) => `${random.pick(interpreters)} <<< ${word(random, depth)}`,
  (random, depth) => `${word(random, depth)} ${word(random, depth)}`,
  (random, depth) => `declare -i n; n=${word(random, depth)}`,
  (random, depth) => `${random.pick(receiving)(random, depth)}; ${random.pick(evaluating)}`,
  (random, depth) => `${random.pick(receiving)(random, depth)}; ${random.pick(evaluating)}; ${inner(random, depth)}`,
  (random, depth) => `echo ${word(random, depth)} | while read -r n; do ${random.pick(evaluating)}; done`,
  (random, depth) => `f() { n=$1; ${random.pick(evaluating)}; }; f ${word(random, depth)}`,
  (random, depth) => `f() { read n; ${random.pick(evaluating)}; }; f <<< ${word(random, depth)}`,
  (random, depth) => `echo ${word(random, depth)} > >(${random.pick(interpreters)})`,
  (random, depth) =>
    `${random.pick(["PS4", "RANDOM", "OPTIND", "BASH_ENV"])}=${word(random, depth)}; set -x; bash -c :`,
];

const redirections = [
  ...[">", ">>", "<", "<>", ">|", "&>", "&>>", ">&", "1>&", "2>&", "<&", "0<&", "3>", "4>&", "<<<", "{fd}>"],
];

/** Ways for `n` to get a value, and uses of it. */
const receiving: readonly Shape[] = [
  (random, depth) => `n=${word(random, depth)}`,
  (random, depth) => `m=${word(random, depth)}; n="$m"`,
  (random, depth) => `n=(${word(random, depth)} b)`,
  (random, depth) => `read -r n <<< ${word(random, depth)}`,
  (random, depth) => `printf -v n %s ${word(random, depth)}`,
  (random, depth) => `mapfile -t n <<< ${word(random, depth)}`,
  (random, depth) => `set -- ${word(random, depth)}; n=$1`,
  (random, depth) => `n=$(echo ${word(random, depth)} | cat)`,
  (random, depth) => `n=$(echo ${word(random, depth)} | wc -c)`,
  (random, depth) => `n=$(printf %d ${word(random, depth)})`,
  (random, depth) => `for n in ${word(random, depth)}; do :; done`,
];
const evaluating = [
  ...["echo $((n))", "echo $(( $n + 1 ))", "(( n > 1 ))", "[[ $n -gt 5 ]]", "[[ n -eq 5 ]]", 'echo "${X:n}"'],
  ...['echo "${a[$n]}"', "a[n]=1", 'echo "${!n}"', 'echo "${n@P}"', 'eval "$n"', 'bash -c "$n"', "$n x", '"$n"'],
  ...['"${n[@]}" x', "let n++", "declare -i n; n=$n", 'trap "$n" EXIT', 'echo "$n" | bash', "[ $n -gt 5 ]"],
  ...['[ "$n" -gt 5 ]', 'echo "$n" "${n%x}" "${#n}"', "case $n in a) ;; esac", 'printf "$n"', 'test -v "$n"'],
  ...["echo `echo $((n))`", "echo $(( ${#n} + 1 ))", 'local x="$n"', 'declare "$n=1"', 'env "$n"', '. "$n"'],
];

const launchers = [
  "",
  "",
  "command ",
  "builtin ",
  "env A=1 ",
  "timeout 5 ",
  "nice ",
  "A=1 ",
  "! ",
  "time ",
  "xargs ",
  "find . -maxdepth 0 -exec ",
];
const interpreters = [
  "bash",
  "sh -s",
  "bash -",
  "{ bash; }",
  "(sh)",
  "env bash",
  "bash /dev/stdin",
  "cat",
  "bash -c cat",
];
const reparsing = [
  ...[
    "eval",
    "eval echo",
    "bash -c",
    "sh -c",
    "bash -euo pipefail -c",
    "dash",
    "bash",
    "bash --",
    ". ",
    "source",
    "trap",
  ],
  ...[
    "let",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "unset",
    "read",
    "read -r",
    "printf -v",
    "mapfile",
    "readarray",
  ],
  ...[
    "test -v",
    "[ -v",
    "wait -p",
    "wait",
    "alias",
    "getopts a",
    "compgen -W",
    "declare -n",
    "declare -a x=",
    "readonly -a x=",
  ],
  ...["perl -e", "perl", "awk --", "set --", "shift", "cd", "exec echo", "exec", "type", "hash", "umask"],
];

function generateCommand(random: Random, depth: number): string {
  return depth > 3 ? `echo ${word(random, depth)}` : random.pick(commands)(random, depth);
}

const scraps = [
  ...[
    '"',
    "'",
    "`",
    "\\",
    "$",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[[ ",
    " ]]",
    "((",
    "))",
    "$(",
    "${",
    "$((",
    "#",
    " #",
    "\n",
    ";",
    ";;",
  ],
  ...[
    "&",
    "&&",
    "|",
    "<",
    ">",
    "<<EOF\n",
    "\nEOF\n",
    "<<'A'\n",
    "\nA\n",
    "$'",
    '$"',
    "\\\n",
    " ",
    "!",
    "=",
    "~",
    "*",
    "a[",
    "]=",
  ],
  ...[
    "eval ",
    "esac",
    "case x in ",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "function f ",
    "f()",
    "<(",
    "time ",
    reference,
    reference,
  ],
];

/** Takes a piece away, or puts one in. */
function damage(script: string, random: Random): string {
  const at = random.below(script.length + 1);
  if (random.below(3) === 0) return script.slice(0, at) + script.slice(at + 1 + random.below(4));
  return script.slice(0, at) + random.pick(scraps) + script.slice(at);
}

/** A value that would run `command` in some context: one that is made for flows, or any fragments. */
export function generateValue(random: Random, command: string): string {
  return random.below(2) === 0 ? generateFlowValue(random, command) : generateFragments(random, command);
}

function generateFragments(random: Random, run: string): string {
  const fragments = [
    ...[
      `$(${run})`,
      `\`${run}\``,
      `; ${run};`,
      `\n${run}\n`,
      `" ; ${run} ; "`,
      `' ; ${run} ; '`,
      `"$(${run})"`,
      `'$(${run})'`,
    ],
    ...[
      `\nEOF\n${run}\n`,
      `\nE O\n${run}\n`,
      `\nA\n${run}\n`,
      `\${X:-$(${run})}`,
      `) ; ${run}`,
      `} ; ${run}`,
      `)); ${run}`,
    ],
    ...[
      `&& ${run} `,
      `| ${run} `,
      `a[$(${run})]`,
      `-va[$(${run})]`,
      `-pa[$(${run})]`,
      `a[$(${run})]=1`,
      `x=$(${run})`,
      `([0]=$(${run}))`,
    ],
    ...[
      "\\",
      '"',
      "'",
      "#",
      "-v",
      "-c",
      "-e",
      "*",
      " ",
      "\n",
      "\r\n",
      "]] && ",
      "1 ",
      `$((a[$(${run})]))`,
      `;; esac; ${run}`,
      run,
    ],
  ];
  const length = random.below(3) === 0 ? 1 : 1 + random.below(4);
  return Array.from({ length }, () => random.pick(fragments)).join("");
}
