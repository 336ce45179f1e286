import { afterAll, describe, expect, test } from "vitest";
import { openTestEngine } from "../rig/engine.ts";

const engine = openTestEngine();
afterAll(() => engine.close());

const integer = { type: "integer" };
const natural = { type: "integer", minimum: 0 };
const number = { type: "number" };
const boolean = { type: "boolean" };
const choice = { type: "string", enum: ["staging", "prod"] };
const word = { type: "string", pattern: "[A-Za-z0-9_.]+" };
const plain = { type: "string", pattern: "[A-Za-z0-9_./:@%+=,][A-Za-z0-9_./:@%+=,-]*" };
const digits = { type: "string", pattern: "[0-9]+(\\.[0-9]+)*" };

/** What is said of a command whose one input is declared like that: nothing, a warning's code, or an error's. */
function verdict(declaration: object, command: string, more: object = {}): string {
  const { diagnostics } = engine.check({
    inputs: { v: { description: "A value", ...declaration }, free: { type: "string", description: "Any text" } },
    blocks: [{ id: "it", type: "Shell", inputs: { command }, ...more }],
  });
  const worst =
    diagnostics.find(({ level }) => level === "error") ?? diagnostics.find(({ level }) => level === "warning");
  return worst === undefined ? "accepted" : `${worst.level === "error" ? "refused" : "warned"}: ${worst.code}`;
}

describe("integers", () => {
  test.each([
    "N=${inputs.v}; [ $N -lt 5 ]",
    "N=${inputs.v}; [[ $N -lt 5 ]]",
    "N=${inputs.v}; echo $((N + 1))",
    "N=${inputs.v}; ((N > 5)) && let N++",
    "(( ${inputs.v} > 5 ))",
    "[[ ${inputs.v} -gt 5 ]]",
    "echo $[ ${inputs.v} + 1 ]",
    "names=(a b c); echo ${names[${inputs.v}]}",
    'names=(a b c); echo "${names[${inputs.v}]}" "${names[@]:${inputs.v}}"',
    'x=abc; echo "${x:${inputs.v}}" "${x:0:${inputs.v}}"',
    "declare -i n=${inputs.v}",
    "f() { local -i n=$1; (( n-- )); }; f ${inputs.v}",
    "for ((i = 0; i < ${inputs.v}; i++)); do echo $i; done",
    "for n in ${inputs.v} 2; do echo $((n * 2)); done",
    "echo `seq ${inputs.v}`",
    'sh -c "sleep ${inputs.v}; exit ${inputs.v}"',
    'python3 -c "print(${inputs.v} + 1)"',
    'node -p "${inputs.v} * 2"',
    'perl -e "print ${inputs.v}"',
    'sed -n "${inputs.v}p" file',
    "awk 'NR > ${inputs.v}' file",
    'ssh host "head -n ${inputs.v} log"',
    "python3 - <<EOF\nprint(${inputs.v})\nEOF",
    'trap "exit ${inputs.v}" TERM',
    "echo x >&${inputs.v}",
    'printf "${inputs.v} items\\n"',
  ])("%s", (command) => {
    expect(verdict(natural, command)).toBe("accepted");
    expect(verdict({ type: "string" }, command)).not.toBe("accepted");
  });

  test("starting an argument they need minimum: 0, for -1 is an option", () => {
    expect(verdict(integer, "bash ${inputs.v}")).toBe("refused: value-as-option");
    expect(verdict(integer, 'printf "${inputs.v} items\\n"')).toBe("refused: value-as-option");
    expect(verdict(natural, "wait ${inputs.v}")).toBe("accepted");
    expect(verdict(integer, "wait ${inputs.v}")).toBe("refused: value-as-option");
  });

  test("what else is a number counts too: exit codes, outputs, range() and the index of an element", () => {
    const first = (type: string, inputs: object, more: object = {}): object => ({ id: "a", type, inputs, ...more });
    const check = (earlier: object, command: string, more: object = {}): readonly string[] =>
      engine
        .check({ blocks: [earlier, { id: "it", type: "Shell", inputs: { command }, ...more }] })
        .diagnostics.flatMap(({ level, code }) => (level === "hint" ? [] : [code]));
    const shell = first("Shell", { command: "ls" });
    expect(check(shell, "x=${blocks.a.exit_code}; ((x == 0))")).toEqual([]);
    expect(check(shell, "x=${blocks.a.outputs.exit_code}; ((x == 0))")).toEqual([]);
    expect(check(shell, "x=${blocks.a.stdout}; ((x == 0))")).toEqual(["value-in-arithmetic"]);
    expect(check(shell, "if ${blocks.a.succeeded}; then echo yes; fi")).toEqual([]);
    const counting = first("Shell", { command: "ls" }, { outputs: { n: { type: "int", path: "n.txt" } } });
    expect(check(counting, "((${blocks.a.n} > 1))")).toEqual([]);
    const http = first("HttpCall", { url: "https://example.org" });
    expect(check(http, "((${blocks.a.status_code} == 200))")).toEqual([]);
    expect(check(shell, "((${each.value} > 1))", { for_each: "${range(3)}" })).toEqual([]);
    expect(check(shell, "((${each.value} > 1))", { for_each: [1, 2] })).toEqual([]);
    expect(check(shell, "((${each.value} > 1))", { for_each: [1, "a[x]"] })).toEqual(["value-in-arithmetic"]);
    expect(check(shell, "((${each.index} > 1))", { for_each: ["a"] })).toEqual([]);
    const loop = first("Shell", { command: "ls" }, { for_each: ["a"] });
    expect(check(loop, "((${blocks.a.count} > 1))")).toEqual([]);
  });
});

test("numbers stand where integers do, but not in arithmetic", () => {
  expect(verdict(number, 'sh -c "sleep ${inputs.v}"')).toBe("accepted");
  expect(verdict(number, 'python3 -c "print(${inputs.v})"')).toBe("accepted");
  expect(verdict(number, "(( ${inputs.v} > 1 ))")).toBe("refused: value-in-arithmetic");
  expect(verdict(number, "N=${inputs.v}; echo $((N + 1))")).toBe("refused: value-in-arithmetic");
});

test.each([
  "if ${inputs.v}; then echo yes; fi",
  "F=${inputs.v}; if $F; then echo yes; fi",
  "${inputs.v} && echo yes",
  'sh -c "${inputs.v} && echo yes"',
  "[ ${inputs.v} = true ]",
  'node -e "run(${inputs.v})"',
  "echo $((${inputs.v} ? 1 : 0)); (( ${inputs.v} ))",
])("booleans stand everywhere: %s", (command) => {
  expect(verdict(boolean, command)).toBe("accepted");
});

describe("proved words", () => {
  test.each([
    [word, "python${inputs.v} --version", "accepted"],
    [digits, "python${inputs.v} -m venv .venv", "accepted"],
    [digits, "P=python${inputs.v}; $P -m venv .venv", "accepted"],
    [digits, 'python${inputs.v} -c "${inputs.free}"', "refused: value-in-code"],
    [word, "my-tool-${inputs.v} --version", "accepted"],
    [plain, "my-tool-${inputs.v} x", "refused: value-as-command"],
    [word, "ev${inputs.v} x", "refused: value-as-command"],
    [word, "${inputs.v} --version", "warned: value-as-command"],
    [word, '${inputs.v} "${inputs.free}"', "refused: value-as-command"],
    [choice, '${inputs.v} "${inputs.free}"', "accepted"],
    [choice, 'T=${inputs.v}; $T run "${inputs.free}"', "accepted"],
    [{ type: "string", enum: ["npm", "eval"] }, '${inputs.v} "${inputs.free}"', "refused: value-in-code"],
    [{ type: "string", enum: ["npm", "bash -c"] }, '${inputs.v} "${inputs.free}"', "refused: value-as-command"],
    [word, "x=${inputs.v}; [ $x = y ]", "accepted"],
    [word, "[ ${inputs.v} ${inputs.v} ]", "accepted"],
    [word, 'printf "${inputs.v}\\n"', "accepted"],
    [plain, 'printf "${inputs.v}\\n"', "warned: value-in-format"],
    [{ type: "string" }, 'printf "Deploying ${inputs.v}\\n"', "warned: value-in-format"],
    [{ type: "string" }, 'printf "- Package: ${inputs.v}\\n"', "warned: value-in-format"],
    [word, 'sh -c "cd /src && ls ${inputs.v}"', "accepted"],
    [word, 'sh -c "cd /src && ${inputs.v} ls"', "refused: value-in-code"],
    [word, 'sh -c "${inputs.v}"', "refused: value-in-code"],
    [word, 'sh -c "A=1 ${inputs.v}"', "refused: value-in-code"],
    [word, 'sh -c "sudo ${inputs.v}"', "refused: value-in-code"],
    [word, 'sh -c "if true; then ${inputs.v}; fi"', "refused: value-in-code"],
    [word, 'sh -c "echo \\$(${inputs.v})"', "refused: value-in-code"],
    [word, 'sh -c "echo \\$${inputs.v}"', "refused: value-in-code"],
    [word, 'sh -c "eval ${inputs.v}"', "refused: value-in-code"],
    [word, 'sh -c "echo \\$((${inputs.v}))"', "refused: value-in-code"],
    [word, 'sh -c "rm {a,${inputs.v}}"', "refused: value-in-code"],
    [plain, 'sh -c "env ${inputs.v} ls"', "refused: value-in-code"],
    [choice, 'sh -c "deploy-${inputs.v} now"', "accepted"],
    [word, 'docker run alpine sh -c "ls ${inputs.v}"', "accepted"],
    [word, 'find . -exec sh -c \'cp "$1" "$1.${inputs.v}"\' _ {} \\;', "accepted"],
    [word, 'ssh host "git checkout ${inputs.v}"', "accepted"],
    [word, "ssh host ${inputs.v}", "refused: value-in-code"],
    [word, "ssh host <<EOF\ncd /srv\ngit checkout ${inputs.v}\nEOF", "accepted"],
    [word, "ssh host <<EOF\n${inputs.v}\nEOF", "refused: value-in-code"],
    [word, "bash <<EOF\necho ${inputs.v}\nEOF", "accepted"],
    [word, 'D="build-${inputs.v}"; trap "rm -rf $D" EXIT', "accepted"],
    [word, 'C="rm -rf ${inputs.v}"; trap "$C" EXIT', "refused: value-as-command"],
    [word, "python3 -c \"print('${inputs.v}')\"", "accepted"],
    [word, 'python3 -c "print(${inputs.v})"', "refused: value-in-code"],
    [word, "python3 -c \"print(f'{${inputs.v}}')\"", "refused: value-in-code"],
    [word, "node -p \"require('./${inputs.v}/package.json').version\"", "accepted"],
    [word, "node -e \"run('a', ${inputs.v})\"", "refused: value-in-code"],
    [word, 'python3 - <<EOF\nprint("${inputs.v}")\nEOF', "accepted"],
    [word, "python3 - <<EOF\n# it's\nprint(${inputs.v})\nEOF", "refused: value-in-code"],
    [word, "perl -e \"print '${inputs.v}'\"", "refused: value-in-code"],
    [word, "ruby -e \"puts '${inputs.v}'\"", "refused: value-in-code"],
    [word, "sed 's/x/${inputs.v}/' f", "warned: value-in-program"],
    [word, "awk '$1 == \"${inputs.v}\"' f", "warned: value-in-program"],
    [word, "echo $(( $(echo ${inputs.v}) ))", "refused: value-in-arithmetic"],
    [word, "(( ${inputs.v} ))", "refused: value-in-arithmetic"],
    [digits, 'IFS=. read -r a b c <<< "${inputs.v}"; echo $((c + 1))', "accepted"],
    [word, 'IFS=. read -r a b c <<< "${inputs.v}"; echo $((c + 1))', "refused: value-in-arithmetic"],
    [digits, "v=${inputs.v}; (( ${v%.*} < 80 ))", "accepted"],
    [choice, "declare -A u=([prod]=a); echo ${u[${inputs.v}]}", "accepted"],
    [choice, "prod=${inputs.free}; u=(a); echo ${u[${inputs.v}]}", "refused: value-in-subscript"],
    [choice, 'a=${inputs.free}; prod=1; n=${inputs.v}; echo "${!n}"', "accepted"],
    [choice, 'prod=${inputs.free}; n=${inputs.v}; eval "${!n}"', "refused: value-in-code"],
    [choice, "echo ${inputs.v} | bash", "refused: value-piped-to-interpreter"],
    [word, 'x=$(base64 -d <<< ${inputs.v}); sh -c "echo $x"', "refused: value-in-code"],
    [word, 'x=${inputs.v}; x+=${inputs.free}; sh -c "echo $x"', "refused: value-in-code"],
    [word, 'x=${inputs.v}; [ -n "$1" ] && x=${inputs.free}; sh -c "echo $x"', "refused: value-in-code"],
    [word, 'x=${inputs.v}; sh -c "echo ${x/a/b}"', "refused: value-in-code"],
    [word, 'f() { sh -c "echo $1"; }; f ${inputs.v}', "accepted"],
    [word, 'f() { sh -c "echo $1"; }; f ${inputs.v}; f "${inputs.free}"', "refused: value-in-code"],
    [word, "node app.js ${inputs.v}", "accepted"],
    [word, "node -e 'run()' ${inputs.v}", "accepted"],
    [{ type: "string", pattern: "[a-z-]+" }, "bash ${inputs.v}", "refused: value-as-option"],
    [word, "read ${inputs.v} < f", "refused: value-as-name"],
    [choice, "read ${inputs.v} < f", "accepted"],
    [word, "PATH=${inputs.v}; ls", "warned: value-in-path"],
    [word, "bash ${inputs.v}", "warned: value-as-command"],
    [word, 'sh -c "cat <<EOF\n${inputs.v}\nrm x\nEOF\n"', "refused: value-in-code"],
    [word, "./scripts/${inputs.v}.sh", "accepted"],
    [plain, "./scripts/${inputs.v}.sh", "warned: value-as-command"],
    [word, "bash -${inputs.v} x", "refused: value-as-option"],
    [word, "perl -${inputs.v}", "refused: value-as-option"],
    [word, 'printf "-${inputs.v}" x', "refused: value-as-option"],
    [plain, "ssh -o ${inputs.v} host ls", "refused: value-as-option"],
    [word, 'node -e "x.replace(/\'/g, ${inputs.v})"', "refused: value-in-code"],
    [word, 'set -- "rm x;" ${inputs.v}; sh -c "echo $*"', "refused: value-in-code"],
    [word, 'set -- "rm x;" ${inputs.v}; x="$*"; sh -c "echo $x"', "refused: value-in-code"],
    [word, 'a=("rm x;" ${inputs.v}); sh -c "echo ${a[*]}"', "refused: value-in-code"],
    [word, 'a=("rm x;" ${inputs.v}); x="${a[@]}"; sh -c "echo $x"', "refused: value-in-code"],
    [word, 'x=${inputs.v}; y=${x%a}; sh -c "echo $y"', "refused: value-in-code"],
    [word, 'x=a${inputs.v}; y=${x#a}; sh -c "ls $y"', "refused: value-in-code"],
    [word, 'x="ls; "${inputs.v}; sh -c "echo $x"', "refused: value-in-code"],
    [choice, 'printf -v ${inputs.v} %s "${inputs.free}"; eval "$prod"', "refused: value-as-command"],
    [choice, 'prod() { eval "$1"; }; ${inputs.v} "${inputs.free}"', "refused: value-in-code"],
    [choice, 'do_prod() { eval "$1"; }; do_${inputs.v} "${inputs.free}"', "refused: value-in-code"],
    [
      { type: "string", enum: ["read", "echo"] },
      '${inputs.v} x <<< "${inputs.free}"; eval "$x"',
      "refused: value-as-command",
    ],
  ])("%j: %s", (declaration, command, expected) => {
    expect(verdict(declaration, command)).toBe(expected);
  });
});

test.each([
  [{ type: "string", pattern: ".+" }],
  [{ type: "string", pattern: "[a-z]*" }],
  [{ type: "string", pattern: "-?[a-z]+" }],
  [{ type: "string", pattern: "[^;]+" }],
  [{ type: "string", pattern: "[a-z ]+" }],
  [{ type: "string", pattern: "(?i)[a-z]+" }],
  [{ type: "string", enum: ["a", "b c"] }],
  [{ type: "string", enum: ["a", ""] }],
  [{ type: "string", enum: ["a", "-c"] }],
  [{ type: "string", pattern: "[a-z]+", required: false }],
  [{ type: "string", pattern: "[a-z]+", default: null }],
])("%j proves nothing", (declaration) => {
  expect(verdict(declaration, 'sh -c "ls ${inputs.v}"')).toBe("refused: value-in-code");
});

test("items prove what each is", () => {
  const check = (items: object): readonly string[] =>
    engine
      .check({
        inputs: { list: { type: "array", description: "Values", items } },
        blocks: [
          { id: "it", type: "Shell", for_each: "${inputs.list}", inputs: { command: 'sh -c "ls ${each.value}"' } },
        ],
      })
      .diagnostics.flatMap(({ level, code }) => (level === "hint" ? [] : [code]));
  expect(check({ type: "string", pattern: "[a-z]+" })).toEqual([]);
  expect(check({ type: "integer" })).toEqual([]);
  expect(check({ type: "string" })).toEqual(["value-in-code"]);
});

test("a value that is not what was proved FAILS the block when it arrives", async () => {
  const { response, state } = await engine.run({
    blocks: [
      {
        id: "n",
        type: "Shell",
        inputs: { command: "true" },
        outputs: { n: { type: "int", path: "n", required: false } },
      },
      { id: "use", type: "Shell", depends_on: ["n"], inputs: { command: "x=${blocks.n.n}; echo $((x + 1))" } },
    ],
  });
  expect(response.status).toBe("failure");
  const { metadata } = state.root.record.blocks.use ?? {};
  expect(metadata).toMatchObject({ status: "failed" });
  expect(metadata?.message).toContain("The value is not what was declared for it.");
});

test("a value that is what was proved arrives", async () => {
  const { response } = await engine.run(
    {
      inputs: {
        n: { type: "integer", description: "N" },
        tag: { ...word, description: "T" },
        on: { ...boolean, description: "O" },
      },
      blocks: [
        {
          id: "use",
          type: "Shell",
          inputs: { command: 'n=${inputs.n}; if ${inputs.on}; then sh -c "echo $((n + 1)) ${inputs.tag}"; fi' },
        },
      ],
      outputs: { said: "${blocks.use.stdout}" },
    },
    { inputs: { n: -3, tag: "v1.2", on: true } },
  );
  expect(response.outputs).toEqual({ said: "-2 v1.2\n" });
});
