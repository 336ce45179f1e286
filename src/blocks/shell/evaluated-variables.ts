import { AssociativeArrays } from "./associative-arrays.ts";
import { builtinAt, filledBy, readBuiltin } from "./builtin-options.ts";
import { LiteralVariables } from "./literal-variables.ts";
import type { ArrayUse } from "./script-builder.ts";
import { type Command, expansionMark, markedText, type ParsedWord } from "./shell-syntax.ts";

/** Variables whose contents bash or dash evaluate. */
const shellVariables: ReadonlySet<string> = new Set([
  ...[
    "BASH_ALIASES",
    "BASH_CMDS",
    "PS0",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PROMPT_COMMAND",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
  ],
  ...["RANDOM", "OPTIND", "HISTCMD", "SECONDS", "LINENO", "BASHPID", "EPOCHSECONDS", "SRANDOM"],
]);

/** Variables that programs run, or that hold options with which a program runs something. */
const programVariables: ReadonlySet<string> = new Set([
  ...["EDITOR", "VISUAL", "FCEDIT", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE"],
  ...["GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF"],
  ...["GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH", "GIT_DIR"],
  ...["GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_TEMPLATE_DIR"],
  ...["MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS", "MAKEFILES", "TAR_OPTIONS", "RSYNC_RSH", "CVS_RSH", "SVN_SSH"],
  ...[
    "NODE_OPTIONS",
    "NODE_PATH",
    "SHELL",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PYTHONHOME",
  ],
  ...["PYTHONINSPECT", "PYTHONBREAKPOINT", "RUBYOPT", "RUBYLIB", "PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT"],
  ...["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "CLASSPATH"],
  ...["GOFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTDOC", "CARGO_BUILD_RUSTC", "GCC_EXEC_PREFIX", "COMPILER_PATH"],
  ...["FZF_DEFAULT_COMMAND", "PSQL_PAGER", "PSQL_EDITOR", "HGRCPATH", "HGEDITOR", "OPENSSL_CONF", "ZDOTDIR"],
  ...["BASH_LOADABLES_PATH", "RIPGREP_CONFIG_PATH", "ANSIBLE_CONFIG", "DOCKER_CONFIG", "XDG_CONFIG_HOME"],
  ...["PERLLIB", "TCL_LIBRARY", "NODE_REPL_EXTERNAL_MODULE", "PYTHONUSERBASE", "PYTEST_ADDOPTS", "GCONV_PATH"],
  ...["OPENSSL_MODULES", "OPENSSL_ENGINES", "WGETRC", "GIT_COMMON_DIR", "ZIPOPT", "VIMINIT", "EXINIT", "MANOPT"],
  ...["CMAKE_TOOLCHAIN_FILE"],
]);

/** Families of them. */
const families =
  /^(?:LD_|DYLD_|BASH_FUNC|GIT_CONFIG_(?:KEY|VALUE)_|npm_config_|NPM_CONFIG_|LUA_INIT_|CARGO_TARGET_|CMAKE_[A-Z]+_COMPILER)/;

/** Whether a shell or a program evaluates what the variable holds, whoever assigns it. */
export function isEvaluatedVariable(name: string): boolean {
  return shellVariables.has(name) || isProgramVariable(name);
}

export function isProgramVariable(name: string): boolean {
  return programVariables.has(name) || families.test(name);
}

/** Variables of make and its relatives that stand in the commands it runs. */
const buildVariables =
  /^(?:CC|CXX|CPP|FC|AR|AS|LD|LEX|YACC|RM|INSTALL|CONFIG_SHELL|(?:C|CXX|CPP|F|AR|AS|LD|LEX|Y)FLAGS|LDLIBS|LOADLIBES|TARGET_ARCH|OBJCOPY|OBJDUMP|STRIP|NM|RANLIB|PKG_CONFIG)$/;
const buildTools: ReadonlySet<string> = new Set([
  "make",
  "gmake",
  "cmake",
  "ninja",
  "meson",
  "./configure",
  "configure",
]);

export function isBuildVariable(name: string): boolean {
  return buildVariables.test(name);
}

export function startsBuild(word: ParsedWord): boolean {
  return buildTools.has(markedText(word.pieces));
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);

/** A function or an alias of such a name would change what a declaration does. */
const shadowing: ReadonlySet<string> = new Set([...declarations, "unset", "command", "builtin"]);

/** What the script declares of its variables, as far as its text tells. */
export class DeclaredVariables {
  private readonly evaluated = new Set<string>();
  private readonly integers = new Set<string>();
  private readonly arrays = new Set<string>();
  /** Names that may be something else than the associative array they are declared as. */
  private readonly disputed = new Set<string>();
  private readonly associative: AssociativeArrays;
  /** Set when a name that is given such an attribute is itself computed. */
  private isAny = false;
  private isUnsetAny = false;

  constructor(text: string, commands: readonly Command[]) {
    const literals = new LiteralVariables(commands);
    this.associative = new AssociativeArrays(text, commands);
    for (const command of commands) {
      this.readAssignments(command);
      const words = command.words.map((word) => literals.textOf(word));
      const at = words.findIndex((word, index) => index < 4 && declarations.has(word));
      if (at !== -1) this.readDeclaration(command, command.words.slice(at + 1));
      this.readUnset(words);
      if (command.defines !== undefined && shadowing.has(command.defines)) this.isAny = true;
      this.readShadowing(words);
      this.readFilled(words, command.words);
    }
  }

  /** `alias declare=true`, `enable -n declare` */
  private readShadowing(words: readonly string[]): void {
    const at = builtinAt(words);
    if (words[at] !== "alias" && words[at] !== "enable") return;
    if (words.slice(at + 1).some((word) => shadowing.has(word.replace(/=.*$/s, "")))) this.isAny = true;
  }

  /** Arrays that are made by `read -a` and `mapfile`. */
  private readFilled(texts: readonly string[], words: readonly ParsedWord[]): void {
    const at = builtinAt(texts);
    const name = texts[at] ?? "";
    const parameters = words.slice(at + 1);
    const isArray =
      /^(?:mapfile|readarray)$/.test(name) ||
      (name === "read" && readBuiltin(name, parameters).options.some(({ letter }) => letter === "a"));
    if (isArray) for (const { pieces } of filledBy(name, parameters)) this.arrays.add(markedText(pieces));
  }

  private readUnset(words: readonly string[]): void {
    const at = builtinAt(words);
    if (words[at] !== "unset") return;
    for (const word of words.slice(at + 1)) {
      // A pattern or a computed name may be any.
      if (/^-?\w+$/.test(word)) this.disputed.add(word);
      else this.isUnsetAny = true;
    }
  }

  private readAssignments({ assignments, words }: Command): void {
    for (const { assigns, elements, pieces } of [...assignments, ...words]) {
      const [head] = pieces;
      const hasSubscript = head?.kind === "text" && head.text.includes("[]");
      if (assigns !== undefined && (elements !== undefined || hasSubscript)) this.arrays.add(assigns.name);
    }
  }

  /** `declare -i n` makes an assignment to n arithmetic, `declare -n r` makes one to r choose a variable. */
  private readDeclaration({ scope, words, redirects }: Command, parameters: readonly ParsedWord[]): void {
    const flags = parameters.map((word) => markedText(word.pieces)).filter((text) => /^[-+]/.test(text));
    // A computed word may be an option.
    const isComputed = parameters.some(
      (word) => word.assigns === undefined && markedText(word.pieces) === expansionMark,
    );
    const evaluates = isComputed || flags.some((flag) => /[in]/.test(flag) || !/^[-+][A-Za-z]*$/.test(flag));
    const isArray = flags.some((flag) => /^-[A-Za-z]*[aA]/.test(flag));
    const isFirst = markedText(words[0]?.pieces ?? []) === (scope === "" ? "declare" : "local");
    const isDeclared = isFirst || /^(?:declare|typeset)$/.test(markedText(words[0]?.pieces ?? []));
    const isAssociative =
      isDeclared &&
      redirects.length === 0 &&
      flags.some((flag) => /^-[A-Za-z]*A/.test(flag)) &&
      !flags.some((flag) => /[pfFn]/.test(flag));
    for (const word of parameters) {
      const name = /^[A-Za-z_]\w*(?=$|\[|\+?=)/.exec(markedText(word.pieces))?.[0];
      if (name === undefined) {
        if (evaluates && !/^[-+]/.test(markedText(word.pieces))) this.isAny = true;
        continue;
      }
      if (evaluates) this.evaluated.add(name);
      if (flags.some((flag) => /^-[A-Za-z]*i/.test(flag))) this.integers.add(name);
      if (isArray) this.arrays.add(name);
      // Another declaration hides the array, or makes it one of another kind.
      if (!isAssociative) this.disputed.add(name);
    }
  }

  evaluates(name: string): boolean {
    return this.isAny || isEvaluatedVariable(name) || this.evaluated.has(name);
  }

  /** Whether bash calculates with what the variable is given, so that a name in there stands for its contents. */
  calculates(name: string): boolean {
    return this.integers.has(name) || shellVariables.has(name);
  }

  /** Whether `declare name=text` would parse the text as an array's elements. */
  isArray(name: string): boolean {
    return this.arrays.has(name);
  }

  /** Whether the keys of an array are plain text where it is used: it must have been declared there for certain. */
  isAssociative(use: ArrayUse): boolean {
    return !this.isAny && !this.isUnsetAny && !this.disputed.has(use.name) && this.associative.has(use);
  }
}
