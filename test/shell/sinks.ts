import type { Held } from "./carriers.ts";

/** The last use of a value: most of them evaluate it, some only show it. `name` is a variable that holds it. */
export interface Sink {
  readonly bashOnly?: boolean;
  readonly evaluates: boolean;
  readonly use: (held: Required<Held>) => string;
}

const showing: readonly Sink["use"][] = [
  ({ word }) => `echo "${word}"`,
  ({ word }) => `echo ${word}`,
  ({ word }) => `printf '%s\\n' "${word}" > out.txt`,
  ({ word }) => `[ "${word}" = x ] || true`,
  ({ word }) => `[ "${word}" -gt 3 ] || true`,
  ({ word }) => `case "${word}" in a*) echo a ;; esac`,
  ({ word }) => `cat <<EOF\nit is ${word}\nEOF`,
  ({ word }) => `echo "${word}" | grep -c x`,
  ({ word }) => `echo hi > "out-${word}"`,
  ({ word }) => `echo hi 2> "${word}"`,
  ({ word }) => `cat < "${word}"`,
  ({ word }) => `sh -c 'echo "$1"' _ "${word}"`,
  ({ name }) => `echo $(( \${#${name}} + 1 ))`,
  ({ word }) => `z=$(echo "${word}" | wc -c); echo $((z + 1))`,
  ({ word }) => `find . -name "${word}" -prune`,
  ({ word }) => `cd "${word}" || true`,
];

const showingInBash: readonly Sink["use"][] = [
  ({ word }) => `[[ ${word} == a* ]] || [[ ${word} =~ ^[0-9]+$ ]]`,
  ({ word }) => `cat <<< "${word}"`,
  ({ word }) => `echo hi &> "${word}"`,
  ({ word }) => `echo hi &>> "x${word}"`,
  ({ word }) => `echo hi >| "${word}"`,
  ({ word }) => `cat <& "${word}"`,
  ({ word }) => `echo hi 2>& "${word}"`,
  ({ word }) => `z=("${word}" b); echo "\${z[@]}" "\${#z[@]}"`,
  ({ word }) => `declare -A z; k="${word}"; z[$k]=1; echo "\${!z[@]}"`,
  ({ name }) => `echo "\${${name}:0:5}" "\${${name}^^}" "\${${name}@Q}"`,
];

const evaluating: readonly Sink["use"][] = [
  ({ word }) => `eval "${word}"`,
  ({ word }) => `eval "echo ${word}"`,
  ({ word }) => `sh -c "${word}"`,
  ({ word }) => `sh -c 'eval "$1"' _ "${word}"`,
  ({ word }) => `trap "${word}" EXIT`,
  ({ word }) => `echo "${word}" | sh`,
  ({ word }) => `echo "${word}" > s.sh; . ./s.sh`,
  ({ word }) => `echo "X=${word}" > s.env; . ./s.env`,
  ({ word }) => `printf '%s\\n' "${word}" >> t.sh; sh t.sh`,
  ({ word }) => `cat > u.sh <<EOF\necho ${word}\nEOF\nsh ./u.sh`,
  ({ word }) => `echo "${word}" | xargs -I{} sh -c 'echo {}'`,
  ({ word }) => `find . -maxdepth 0 -exec sh -c "${word}" \\;`,
  ({ word }) => `env C="${word}" sh -c 'eval "$C"'`,
  ({ name }) => `$${name}`,
  ({ word }) => `"${word}" x`,
];

const evaluatingInBash: readonly Sink["use"][] = [
  ({ name }) => `echo $((${name}))`,
  ({ name }) => `p=${name}; echo $((p + 1))`,
  ({ word }) => `echo $(( ${word} + 1 ))`,
  ({ name }) => `(( ${name} > 1 ))`,
  ({ word }) => `[[ ${word} -gt 5 ]]`,
  ({ name }) => `[[ ${name} -eq 5 ]]`,
  ({ name }) => `let "z = ${name} + 1"`,
  ({ word }) => `declare -i z="${word}"`,
  ({ word }) => `declare -i z; z="${word}"`,
  ({ word }) => `declare "${word}=1"`,
  ({ word }) => `s=hello; echo "\${s:${word}}"`,
  ({ name }) => `s=hello; echo "\${s:0:${name}}"`,
  ({ word }) => `z=(a b); echo "\${z[${word}]}"`,
  ({ name }) => `z=(a b); z[${name}]=1`,
  ({ word }) => `a=(1); unset "${word}"`,
  ({ word }) => `z=(1); unset "z[${word}]"`,
  ({ word }) => `test -v "${word}"`,
  ({ word }) => `[[ -v ${word} ]]`,
  ({ word }) => `printf -v "${word}" %s x`,
  ({ word }) => `read -r "${word}" <<< x`,
  ({ name }) => `echo "\${!${name}}"`,
  ({ name }) => `echo "\${${name}@P}"`,
  ({ word }) => `echo hi >& "${word}"`,
  ({ word }) => `echo hi 1>& "x${word}"`,
  ({ word }) => `{ echo hi; } >& "${word}"`,
  ({ word }) => `exec >& "${word}"`,
  ({ word }) => `bash -c 'echo $(( $1 ))' _ "${word}"`,
  ({ word }) => `N="${word}" bash -c '[[ $N -gt 1 ]]'`,
  ({ word }) => `source <(echo "${word}")`,
  ({ word }) => `bash <<< "${word}"`,
  ({ word }) => `init() { declare -A q; }; init; k="${word}"; q[$k]=1`,
  ({ word }) => `( declare -A q ); k="${word}"; q[$k]=1`,
  ({ word }) => `q=(); declare q="${word}"`,
  ({ word }) => `lq() { local q=(); local q="$1"; }; lq "${word}"`,
  ({ word }) => `PS4="${word}"; set -x; :`,
  ({ word }) => `BASH_ENV="${word}" bash -c :`,
  ({ word }) => `for ((i = ${word}; i < 1; i++)); do break; done`,
  ({ word }) => `compgen -W "${word}"`,
  ({ word }) => `mapfile -C "${word}" -c 1 -t z <<< x`,
];

export const sinks: readonly Sink[] = [
  ...showing.map((use) => ({ use, evaluates: false })),
  ...showingInBash.map((use) => ({ use, evaluates: false, bashOnly: true })),
  ...evaluating.map((use) => ({ use, evaluates: true })),
  ...evaluatingInBash.map((use) => ({ use, evaluates: true, bashOnly: true })),
];
