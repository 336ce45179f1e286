import { afterAll, describe, expect, test } from "vitest";
import { assembleEach, Canary, runBatch, runCommand, runText, runWithPrelude, shells } from "./run-shell.ts";

const canary = new Canary();
afterAll(() => canary.remove());
const run = canary.command;

const hostileValues: readonly string[] = [
  "plain",
  "",
  " two  words ",
  "-n",
  "*",
  "~",
  "a\\",
  "\\",
  "tab\there",
  "line\nline\n\n",
  "äöü €  ",
  `$(${run})`,
  `\`${run}\``,
  `; ${run};`,
  `& ${run} &`,
  `| ${run}`,
  `\n${run}\n`,
  `"; ${run}; "`,
  `'; ${run}; '`,
  `"$(${run})"`,
  `'"$(${run})"'`,
  `\nEOF\n${run}\n`,
  `\nE O\n${run}\n`,
  `\nEND\n${run}\n`,
  `\${X:-$(${run})}`,
  `a[$(${run})]`,
  `-va[$(${run})]`,
  `$((a[$(${run})]))`,
  `} ; ${run}`,
  `) ; ${run}`,
  `)) ; ${run}`,
  `]] ; ${run}`,
  `;; esac ; ${run}`,
  `done ; ${run}`,
  `# \n${run}`,
  `\\"; ${run}`,
  `\\'; ${run}`,
  `!$(${run})`,
  `<(${run})`,
  `a"; ${run}; echo "$(${run})\`${run}\`' ; ${run} #\nEOF\n${run}\n*`,
];

interface Context {
  readonly name: string;
  readonly command: string;
  readonly output: (value: string) => string;
  readonly bashOnly?: boolean;
}

const show = "show() { for w do printf '<%s>' \"$w\"; done; }; ";
const stripped = (value: string): string => value.replace(/\n+$/, "");

const contexts: readonly Context[] = [
  { name: "double quotes", command: `${show}show -m "\${blocks.x.response}"`, output: (v) => `<-m><${v}>` },
  { name: "double quotes with text", command: `${show}show "a \${inputs.v} b$HOMELESS"`, output: (v) => `<a ${v} b>` },
  { name: "bare", command: `${show}show \${inputs.v}`, output: (v) => `<${v}>` },
  { name: "bare between text", command: `${show}show pre\${inputs.v}post`, output: (v) => `<pre${v}post>` },
  { name: "bare twice", command: `${show}show \${inputs.v}\${inputs.v}`, output: (v) => `<${v}${v}>` },
  { name: "single quotes", command: `${show}show 'it is \${inputs.v} ok'`, output: (v) => `<it is ${v} ok>` },
  { name: "single quotes alone", command: `${show}show '\${inputs.v}'`, output: (v) => `<${v}>` },
  { name: "backslash in single quotes", command: `${show}show '\\\${inputs.v}'`, output: (v) => `<\\${v}>` },
  {
    name: "ANSI quotes",
    command: `${show}show $'x\\ty\${inputs.v}\\n'`,
    output: (v) => `<x\ty${v}\n>`,
    bashOnly: true,
  },
  {
    name: "backslash in ANSI quotes",
    command: `${show}show $'\\\${inputs.v}'`,
    output: (v) => `<\\${v}>`,
    bashOnly: true,
  },
  { name: "translated quotes", command: `${show}show $"a \${inputs.v}"`, output: (v) => `<a ${v}>`, bashOnly: true },
  { name: "mixed quotes", command: `${show}show a"b\${inputs.v}"'c\${inputs.v}'`, output: (v) => `<ab${v}c${v}>` },
  {
    name: "substitution in quotes",
    command: `${show}show "$(printf '%s' "\${inputs.v}")"`,
    output: (v) => `<${stripped(v)}>`,
  },
  {
    name: "bare in a substitution",
    command: `${show}show "$(printf %s \${inputs.v})"`,
    output: (v) => `<${stripped(v)}>`,
  },
  {
    name: "single quotes in substitutions",
    command: `${show}show "$(printf %s "$(printf %s '\${inputs.v}')")"`,
    output: (v) => `<${stripped(v)}>`,
  },
  {
    name: "case in a substitution",
    command: `${show}show "$(case x in x) printf %s "\${inputs.v}";; esac)"`,
    output: (v) => `<${stripped(v)}>`,
  },
  { name: "process substitution", command: `cat <(printf %s \${inputs.v})`, output: (v) => v, bashOnly: true },
  { name: "default in quotes", command: `${show}show "\${UNSET:-\${inputs.v}}"`, output: (v) => `<${v}>` },
  { name: "default", command: `${show}show \${UNSET:-\${inputs.v}}`, output: (v) => `<${v}>` },
  { name: "quoted default", command: `${show}show \${UNSET-"\${inputs.v}"}`, output: (v) => `<${v}>` },
  { name: "single-quoted default", command: `${show}show \${UNSET-'\${inputs.v}'}`, output: (v) => `<${v}>` },
  { name: "alternative", command: `X=1; ${show}show "\${X:+\${inputs.v}}"`, output: (v) => `<${v}>` },
  { name: "here-document", command: "cat <<EOF\nA ${inputs.v} B\nEOF", output: (v) => `A ${v} B\n` },
  {
    name: "quoted here-document",
    command: "cat <<'EOF'\n$HOME \\ `x` \"${inputs.v}\" \\$\nEOF",
    output: (v) => `$HOME \\ \`x\` "${v}" \\$\n`,
  },
  { name: "odd delimiter", command: `cat <<"E O"\n$X \${inputs.v}\nE O\n`, output: (v) => `$X ${v}\n` },
  { name: "escaped delimiter", command: "cat <<\\EOF\n$X ${inputs.v}\nEOF\n", output: (v) => `$X ${v}\n` },
  { name: "indented here-document", command: "cat <<-EOF\n\t\tA ${inputs.v}\n\tEOF\n", output: (v) => `A ${v}\n` },
  {
    name: "quoted indented here-document",
    command: "cat <<-'EOF'\n\t$A ${inputs.v}\n\tEOF\n",
    output: (v) => `$A ${v}\n`,
  },
  {
    name: "two here-documents on a line",
    command: "cat <<A; cat <<'B'\n${inputs.v}\nA\n$X${inputs.v}\nB\n",
    output: (v) => `${v}\n$X${v}\n`,
  },
  {
    name: "here-document in a substitution",
    command: `${show}show "$(cat <<EOF\n\${inputs.v}.\nEOF\n)"`,
    output: (v) => `<${v}.>`,
  },
  { name: "default in a here-document", command: "cat <<EOF\n${UNSET:-${inputs.v}}\nEOF", output: (v) => `${v}\n` },
  { name: "here-string", command: `cat <<< \${inputs.v}`, output: (v) => `${v}\n`, bashOnly: true },
  { name: "assignment", command: `${show}Y=\${inputs.v}; show "$Y"`, output: (v) => `<${v}>` },
  { name: "assignment in quotes", command: `${show}Y="a \${inputs.v}"; show "$Y"`, output: (v) => `<a ${v}>` },
  { name: "exported assignment", command: `${show}export Y="\${inputs.v}"; show "$Y"`, output: (v) => `<${v}>` },
  { name: "assignment before a command", command: `Y=\${inputs.v} sh -c 'printf %s "$Y"'`, output: (v) => v },
  { name: "array", command: `${show}a=(x \${inputs.v}); show "\${a[@]}"`, output: (v) => `<x><${v}>`, bashOnly: true },
  {
    name: "added array elements",
    command: `${show}a+=("\${inputs.v}"); show "\${a[@]}"`,
    output: (v) => `<${v}>`,
    bashOnly: true,
  },
  {
    name: "array element",
    command: `${show}a[1]=\${inputs.v}; show "\${a[1]}"`,
    output: (v) => `<${v}>`,
    bashOnly: true,
  },
  { name: "loop", command: `${show}for f in \${inputs.v} b; do show "$f"; done`, output: (v) => `<${v}><b>` },
  {
    name: "case subject",
    command: `${show}case \${inputs.v} in "") show none;; *) show some;; esac`,
    output: (v) => (v === "" ? "<none>" : "<some>"),
  },
  {
    name: "case pattern",
    command: `${show}v=\${inputs.v}; case "$v" in (\${inputs.v}) show same;; esac`,
    output: () => "<same>",
  },
  {
    name: "pattern in [[ ]]",
    command: `${show}v=\${inputs.v}; [[ $v == \${inputs.v} ]] && show same`,
    output: () => "<same>",
    bashOnly: true,
  },
  {
    name: "regex in [[ ]]",
    command: `${show}v=\${inputs.v}; [[ $v =~ ^\${inputs.v}$ ]] && show same`,
    output: () => "<same>",
    bashOnly: true,
  },
  { name: "test", command: `${show}v=\${inputs.v}; [ "$v" = \${inputs.v} ] && show same`, output: () => "<same>" },
  { name: "function", command: `f() { printf %s "\${inputs.v}"; }; f`, output: (v) => v },
  { name: "subshell", command: `(printf %s \${inputs.v})`, output: (v) => v },
  { name: "group", command: `{ printf %s \${inputs.v}; }`, output: (v) => v },
  { name: "if", command: `if printf %s \${inputs.v}; then printf %s '\${inputs.v}'; fi`, output: (v) => v + v },
  { name: "pipe", command: `printf '%s' "\${inputs.v}" | cat`, output: (v) => v },
  { name: "continued line", command: `${show}show \\\n  "\${inputs.v}" \\\n  end`, output: (v) => `<${v}><end>` },
  {
    name: "several lines",
    command: `x=1\n# it's a comment\n${show}\nshow "\${inputs.v}" # don't "\n`,
    output: (v) => `<${v}>`,
  },
  { name: "comment", command: "printf ok # ${inputs.v}", output: () => "ok" },
  {
    name: "the shell's own",
    command: `X=1; ${show}show "\${X}" "\${Y:-2}" \${inputs.v}`,
    output: (v) => `<1><2><${v}>`,
  },
  {
    name: "escaped in quotes",
    command: `${show}show "\\\${inputs.v}" "$\${inputs.v}"`,
    output: () => "<${inputs.v}><${inputs.v}>",
  },
  { name: "escaped", command: `${show}show \\\${inputs.v} $\${inputs.v}`, output: () => "<${inputs.v}><${inputs.v}>" },
  { name: "escaped in single quotes", command: `${show}show '$\${inputs.v}'`, output: () => "<${inputs.v}>" },
  { name: "escaped with quotes inside", command: `${show}show $\${inputs['a b']}`, output: () => "<${inputs['a b']}>" },
  {
    name: "escaped in here-documents",
    command: "cat <<A; cat <<'B'\n\\${inputs.v} $${inputs.v}\nA\n$${inputs.v}\nB",
    output: () => "${inputs.v} ${inputs.v}\n${inputs.v}\n",
  },
  {
    name: "escaped beside a value",
    command: "cat <<'B'\n$${inputs.v} ${inputs.v}\nB",
    output: (v) => `\${inputs.v} ${v}\n`,
  },
  {
    name: "process id before a value",
    command: `${show}p=$$; [ "$p\${inputs.v}" = "$$\\\n\${inputs.v}" ] && show same`,
    output: () => "<same>",
  },
  { name: "argument of bash -c", command: `bash -c 'printf "<%s>" "$1"' _ "\${inputs.v}"`, output: (v) => `<${v}>` },
  { name: "bash -s", command: `bash -s -- "\${inputs.v}" <<'EOF'\nprintf '<%s>' "$1"\nEOF`, output: (v) => `<${v}>` },
  {
    name: "redirection",
    command: `printf %s hi > "./f_\${inputs.w}" && cat "./f_\${inputs.w}"; rm -f ./f_*`,
    output: (v) => (v.includes("/") ? "" : "hi"),
  },
];

describe.each(shells)("%s", (shell) => {
  test.each(contexts.filter((context) => shell === "bash" || !context.bashOnly))(
    "$name: every value arrives exactly",
    ({ command, output }) => {
      const outcomes = runBatch(shell, assembleEach(command, hostileValues), canary);
      for (const [index, value] of hostileValues.entries()) {
        expect({ value, ...outcomes[index] }).toEqual({ value, stdout: output(value), ran: false });
      }
    },
  );

  test("a list that is a whole word becomes one word per element", () => {
    const list = ["a b", `$(${run})`, "", 7, ["x"], "-n"];
    const bare = runCommand(shell, `${show}show a \${inputs.v} b`, list, canary.directory);
    expect(bare.stdout).toBe(`<a><a b><$(${run})><><7><["x"]><-n><b>`);
    const quoted = runCommand(shell, `${show}show "\${inputs.v}"`, list, canary.directory);
    expect(quoted.stdout).toBe(`<${JSON.stringify(list)}>`);
    const empty = runCommand(
      shell,
      `${show}show a \${inputs.v} b; for x in \${inputs.v}; do show never; done`,
      [],
      canary.directory,
    );
    expect(empty.stdout).toBe("<a><b>");
    expect(canary.sang()).toBe(false);
  });

  test("a list never brings operators into a test or a command into a launcher", () => {
    runCommand(shell, "[ -n ${inputs.v} ]", ["a", "-o", "-v", `a[$(${run})]`], canary.directory);
    runCommand(shell, "timeout ${inputs.v} true", ["5", "sh", "-c", run], canary.directory);
    expect(canary.sang()).toBe(false);
  });

  test("arithmetic takes integers only", () => {
    const add = "printf %s $(( ${inputs.v} + 1 ))$((1-${inputs.v}))";
    expect(runCommand(shell, add, 41, canary.directory).stdout).toBe("42-40");
    expect(runCommand(shell, add, "-08", canary.directory).stdout).toBe("-79");
    for (const value of [`a[$(${run})]`, "1+1", "x", "", "0x10", 1.5, true, null, "99999999999999999999"]) {
      expect(() => runCommand(shell, add, value, canary.directory)).toThrow("integer");
    }
  });

  test("the variables are not exported, and the descriptor is closed", () => {
    const command = "env | grep -c '^F_' ; printf %s ${inputs.v} ; (: <&3) 2>/dev/null || printf ' closed'";
    expect(runCommand(shell, command, "v", canary.directory).stdout).toBe("0\nv closed");
  });

  test.each(["# a comment\nprintf %s $LINENO", "\nprintf %s $LINENO", "cat <<E\nE\nprintf %s $LINENO"])(
    "line numbers stay right in %j",
    (script) => {
      const alone = runText(shell, script, canary.directory);
      expect(runWithPrelude(shell, script, "F_1='x'\n", canary.directory)).toEqual(alone);
    },
  );
});
