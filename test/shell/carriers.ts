import type { Random } from "./random.ts";

/** Where a value is at some point of a script. */
export interface Held {
  /** Expands to the value between double quotes: `$n1`, `${a1[0]}`, or our own reference. */
  readonly word: string;
  /** The variable that holds it, if one does. */
  readonly name?: string;
}

/** Names and files that no other part of the script uses. */
export class Fresh {
  #count = 0;

  name(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}

export interface Place {
  readonly random: Random;
  readonly fresh: Fresh;
  readonly held: Held;
  /** What is done with the value where it has been carried to. */
  readonly rest: (held: Held) => string;
}

export interface Carrier {
  readonly bashOnly?: boolean;
  readonly carry: (place: Place) => string;
}

const variable = (name: string): Held => ({ word: `$${name}`, name });

/** Carries the value into a variable by a command. */
function into(command: (name: string, word: string) => string): Carrier["carry"] {
  return ({ fresh, held, rest }) => {
    const name = fresh.name("n");
    return `${command(name, held.word)}\n${rest(variable(name))}`;
  };
}

/** The same through a file that is written and then read. */
function through(write: (file: string, word: string) => string, read: (name: string, file: string) => string) {
  return ({ fresh, held, rest }: Place): string => {
    const [file, name] = [fresh.name("f"), fresh.name("n")];
    return `${write(file, held.word)}\n${read(name, file)}\n${rest(variable(name))}`;
  };
}

/** The value in a variable with a name, for what needs one. */
function named(place: Place, use: (name: string) => string): string {
  const { held, fresh } = place;
  if (held.name !== undefined) return use(held.name);
  const name = fresh.name("n");
  return `${name}="${held.word}"\n${use(name)}`;
}

const writing: readonly ((file: string, word: string) => string)[] = [
  (file, word) => `echo "${word}" > ${file}`,
  (file, word) => `printf '%s\\n' "${word}" >> ${file}`,
  (file, word) => `echo "${word}" | tee ${file} > /dev/null`,
  (file, word) => `cat > ${file} <<EOF\n${word}\nEOF`,
  (file, word) => `{ echo "${word}"; } > ./${file}`,
  (file, word) => `exec 5> ${file}; echo "${word}" >&5; exec 5>&-`,
];
const reading: readonly ((name: string, file: string) => string)[] = [
  (name, file) => `${name}=$(cat ${file})`,
  (name, file) => `read -r ${name} < ${file}`,
  (name, file) => `${name}=$(head -n1 ./${file})`,
  (name, file) => `${name}=$(sed -n 1p ${file})`,
  (name, file) => `mv ${file} ${file}.x; ${name}=$(cat ${file}.x)`,
];

const everywhere: readonly Carrier["carry"][] = [
  into((name, word) => `${name}="${word}"`),
  into((name, word) => `${name}=${word}`),
  into((name, word) => `${name}="$(echo "${word}")"`),
  into((name, word) => `${name}=$(printf %s "${word}" | cat)`),
  into((name, word) => `set -- x "${word}"; shift; ${name}=$1`),
  into((name, word) => `set -- "${word}"; ${name}="$*"`),
  into((name, word) => `read -r ${name} <<EOF\n${word}\nEOF`),
  into((name, word) => `set_${name}() { ${name}=$1; }; set_${name} "${word}"`),
  into((name, word) => `get_${name}() { echo "${word}"; }; ${name}=$(get_${name})`),
  into((name, word) => `export X_${name}="${word}"; ${name}=$(printenv X_${name})`),
  into((name, word) => `export X_${name}="${word}"; ${name}=$(sh -c 'echo "$X_${name}"')`),
  into((name, word) => `mkdir -p d_${name}; : > "d_${name}/${word}"; ${name}=$(ls d_${name})`),
  ({ random, ...place }) => through(random.pick(writing), random.pick(reading))({ random, ...place }),
  ({ fresh, held, rest }) => {
    const name = fresh.name("n");
    return `for ${name} in "${held.word}"; do\n${rest(variable(name))}\ndone`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("g");
    return `mkdir -p d_${name}; : > "d_${name}/${held.word}"\nfor ${name} in d_${name}/*; do ${name}=\${${name}##*/}\n${rest(variable(name))}\ndone`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("fn");
    return `${name}() {\n${rest({ word: "$1" })}\n}\n${name} "${held.word}"`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("fn");
    return `${name}() {\nlocal l_${name}="$2"\n${rest(variable(`l_${name}`))}\n}\n${name} a "${held.word}"`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("n");
    return `echo "${held.word}" | while read -r ${name}; do\n${rest(variable(name))}\ndone`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("n");
    return `printf '%s\\n' "${held.word}" | { read -r ${name}\n${rest(variable(name))}\n}`;
  },
  ({ held, rest }) => `case "${held.word}" in "") ;; *)\n${rest(held)}\n;; esac`,
  ({ held, rest }) => `if [ -n "${held.word}" ]; then\n${rest(held)}\nfi`,
  ({ held, rest }) => `(\n${rest(held)}\n)`,
  ({ held, rest }) => `{\n${rest(held)}\n} 2>&1`,
  (place) =>
    named(place, (name) => {
      const [to, operator] = [place.fresh.name("n"), place.random.pick(["#zz", "%zz", ":-x", "-y", "##*zz"])];
      return `${to}="\${${name}${operator}}"\n${place.rest(variable(to))}`;
    }),
  (place) => named(place, (name) => `t_${name}() {\n${place.rest(variable(name))}\n}\ntrap t_${name} EXIT`),
];

const inBash: readonly Carrier["carry"][] = [
  into((name, word) => `: "${word}"; ${name}=$_`),
  into((name, word) => `${name}=; ${name}+="${word}"`),
  into((name, word) => `read -r ${name} <<< "${word}"`),
  into((name, word) => `read -r ${name} < <(echo "${word}")`),
  into((name, word) => `printf -v ${name} %s "${word}"`),
  into((name, word) => `declare ${name}="${word}"`),
  into((name, word) => `[[ "${word}" =~ (.*) ]]; ${name}=\${BASH_REMATCH[1]}`),
  into((name, word) => `IFS=, read -r ${name} x <<< "${word},y"`),
  into((name, word) => `read -r <<< "${word}"; ${name}=$REPLY`),
  into((name, word) => `echo "${word}" > r_${name}; ${name}=$(<r_${name})`),
  into((name, word) => `export X_${name}="${word}"; ${name}=$(bash -c 'echo "$X_${name}"')`),
  into((name, word) => `out_${name}() { local -n o=$1; o="$2"; }; out_${name} ${name} "${word}"`),
  ({ fresh, held, rest }) => {
    const name = fresh.name("a");
    return `${name}=(x "${held.word}")\n${rest({ word: `\${${name}[1]}` })}`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("a");
    return `${name}=()\n${name}+=("${held.word}")\n${rest({ word: `\${${name}[0]}`, name })}`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("m");
    return `declare -A ${name}\n${name}[k]="${held.word}"\n${rest({ word: `\${${name}[k]}` })}`;
  },
  ({ fresh, held, rest }) => {
    const [name, key] = [fresh.name("m"), fresh.name("k")];
    return `declare -A ${name}=()\nw_${key}="${held.word}"\n${name}[$w_${key}]=1\nfor ${key} in "\${!${name}[@]}"; do\n${rest(variable(key))}\ndone`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("a");
    return `mapfile -t ${name} <<< "${held.word}"\n${rest({ word: `\${${name}[0]}`, name })}`;
  },
  ({ fresh, held, rest }) => {
    const name = fresh.name("n");
    return `while read -r ${name}; do\n${rest(variable(name))}\ndone < <(echo "${held.word}")`;
  },
  (place) =>
    named(place, (name) => {
      const reference = place.fresh.name("r");
      return `declare -n ${reference}=${name}\n${place.rest(variable(reference))}`;
    }),
  (place) =>
    named(place, (name) => {
      const called = place.fresh.name("fn");
      return `${called}() {\nlocal -n r_${called}=$1\n${place.rest(variable(`r_${called}`))}\n}\n${called} ${name}`;
    }),
  (place) =>
    named(place, (name) => {
      const pointer = place.fresh.name("p");
      return `${pointer}=${name}\n${place.rest({ word: `\${!${pointer}}`, name: pointer })}`;
    }),
  (place) =>
    named(place, (name) => {
      const [to, operator] = [place.fresh.name("n"), place.random.pick(["//zz/", "/zz/y", ":0:200", "/#zz", "@Q"])];
      return `${to}="\${${name}${operator}}"\n${place.rest(variable(to))}`;
    }),
  ({ fresh, held, rest }) => {
    const [name, pointer] = [fresh.name("c"), fresh.name("p")];
    return `${name}_1="${held.word}"; i=1; ${pointer}="${name}_$i"\n${rest({ word: `\${!${pointer}}`, name: `${name}_1` })}`;
  },
];

export const carriers: readonly Carrier[] = [
  ...everywhere.map((carry) => ({ carry })),
  ...inBash.map((carry) => ({ carry, bashOnly: true })),
];
