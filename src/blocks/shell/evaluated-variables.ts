import type { ArrayUse } from "./script-builder.ts";
import { type Branch, type Command, markedText, type ParsedWord } from "./shell-syntax.ts";

/** Variables whose contents bash or dash evaluate. */
const shellVariables: ReadonlySet<string> = new Set([
  ...["PS0", "PS1", "PS2", "PS3", "PS4", "PROMPT_COMMAND", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS"],
  ...["RANDOM", "OPTIND", "HISTCMD", "SECONDS", "LINENO", "BASHPID", "EPOCHSECONDS", "SRANDOM"],
]);

/** Variables that programs run, or that hold options with which a program runs something. */
const programVariables: ReadonlySet<string> = new Set([
  ...["EDITOR", "VISUAL", "FCEDIT", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE"],
  ...["GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF"],
  ...["GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "SUDO_EDITOR", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH"],
  ...["GIT_CONFIG", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_PARAMETERS", "GIT_TEMPLATE_DIR"],
  ...["MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS", "MAKEFILES", "TAR_OPTIONS", "RSYNC_RSH", "CVS_RSH", "SVN_SSH"],
  ...["NODE_OPTIONS", "PERL5OPT", "PERL5LIB", "PERL5DB", "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME"],
  ...["PYTHONINSPECT", "PYTHONBREAKPOINT", "RUBYOPT", "RUBYLIB", "PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT"],
  ...["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "CLASSPATH"],
  ...["GOFLAGS", "RUSTC", "RUSTC_WRAPPER", "RUSTDOC", "CARGO_BUILD_RUSTC", "GCC_EXEC_PREFIX", "COMPILER_PATH"],
  ...["FZF_DEFAULT_COMMAND", "PSQL_PAGER", "PSQL_EDITOR", "HGRCPATH", "HGEDITOR", "OPENSSL_CONF", "ZDOTDIR"],
  ...["BASH_LOADABLES_PATH", "RIPGREP_CONFIG_PATH", "ANSIBLE_CONFIG", "DOCKER_CONFIG", "XDG_CONFIG_HOME"],
]);

/** Families of them. */
const families = /^(?:LD_|DYLD_|BASH_FUNC|GIT_CONFIG_(?:KEY|VALUE)_|npm_config_|NPM_CONFIG_|LUA_INIT_|CARGO_TARGET_)/;

/** Whether a shell or a program evaluates what the variable holds, whoever assigns it. */
export function isEvaluatedVariable(name: string): boolean {
  return shellVariables.has(name) || isProgramVariable(name);
}

export function isProgramVariable(name: string): boolean {
  return programVariables.has(name) || families.test(name);
}

const declarations: ReadonlySet<string> = new Set(["declare", "typeset", "local", "readonly", "export"]);

interface AssociativeArray {
  readonly name: string;
  readonly scope: string;
  readonly branch: Branch;
  readonly at: number;
}

/** What the script declares of its variables, as far as its text tells. */
export class DeclaredVariables {
  private readonly evaluated = new Set<string>();
  private readonly arrays = new Set<string>();
  private readonly unset = new Set<string>();
  private readonly associative: AssociativeArray[] = [];
  private readonly firstCalls = new Map<string, number>();
  /** Set when a name that is given such an attribute is itself computed. */
  private isAny = false;

  constructor(commands: readonly Command[]) {
    for (const command of commands) {
      this.readAssignments(command);
      const words = command.words.map((word) => markedText(word.pieces));
      const at = words.findIndex((word, index) => index < 4 && declarations.has(word));
      if (at !== -1) this.readDeclaration(command, command.words.slice(at + 1));
      const [program = ""] = words;
      if (program === "unset") for (const word of words.slice(1)) this.unset.add(word);
      if (program === "mapfile" || program === "readarray" || (program === "read" && words.some(readsArray)))
        for (const word of words.slice(1)) this.arrays.add(word);
      for (const word of words)
        if (command.scope === "" && !this.firstCalls.has(word)) this.firstCalls.set(word, command.id);
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
  private readDeclaration({ scope, branch, id }: Command, parameters: readonly ParsedWord[]): void {
    const flags = parameters.map((word) => markedText(word.pieces)).filter((text) => /^[-+]/.test(text));
    const evaluates = flags.some((flag) => /[in]/.test(flag) || !/^[-+][A-Za-z]*$/.test(flag));
    const isArray = flags.some((flag) => /^-[A-Za-z]*[aA]/.test(flag));
    const isAssociative = flags.some((flag) => /^-[A-Za-z]*A/.test(flag));
    const isGlobal = flags.some((flag) => /^-[A-Za-z]*g/.test(flag));
    for (const word of parameters) {
      const name = /^[A-Za-z_]\w*(?=$|\[|\+?=)/.exec(markedText(word.pieces))?.[0];
      if (name === undefined) {
        if (evaluates && !/^[-+]/.test(markedText(word.pieces))) this.isAny = true;
        continue;
      }
      if (evaluates) this.evaluated.add(name);
      if (isArray) this.arrays.add(name);
      if (isAssociative) this.associative.push({ name, scope: isGlobal ? "" : scope, branch, at: id });
    }
  }

  evaluates(name: string): boolean {
    return this.isAny || isEvaluatedVariable(name) || this.evaluated.has(name);
  }

  /** Whether `declare name=text` would parse the text as an array's elements. */
  isArray(name: string): boolean {
    return this.arrays.has(name);
  }

  /** Whether the keys of an array are plain text where it is used: it must have been declared there for certain. */
  isAssociative({ name, scope, branch, at }: ArrayUse): boolean {
    if (this.unset.has(name)) return false;
    return this.associative.some((declared) => {
      if (declared.name !== name || !isWithin(branch, declared.branch)) return false;
      if (declared.scope === scope) return declared.at <= at;
      // A function sees what was declared before it was first called; a program that is started sees nothing.
      return declared.scope === "" && declared.at < (this.firstCalls.get(scope) ?? 0);
    });
  }
}

function readsArray(option: string): boolean {
  return /^-[A-Za-z]*a$/.test(option);
}

function isWithin(branch: Branch, outer: Branch): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.outer) if (at === outer) return true;
  return false;
}
