/** The hidden command that the scripts call. */
export const completeCommand = "complete";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** bash breaks words at `:`, `=` and `@`, so it hands over the line itself; what comes back is quoted as the line needs it. */
const bash = `# Completion of frond for bash. Where the package bash-completion is installed, save it once:
#   mkdir -p ~/.local/share/bash-completion/completions
#   frond completion bash > ~/.local/share/bash-completion/completions/frond
# Else add to ~/.bashrc:
#   source <(frond completion bash)
_frond() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(command frond complete --shell bash --breaks "$COMP_WORDBREAKS" -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=/] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -o nosort -F _frond frond 2>/dev/null || complete -F _frond frond
`;

/** zsh quotes what it inserts by itself; words that go on after a sign get no blank. */
const zsh = `#compdef frond
# Completion of frond for zsh. Save it once:
#   mkdir -p ~/.zfunc
#   frond completion zsh > ~/.zfunc/_frond
# and have in ~/.zshrc:
#   fpath=(~/.zfunc $fpath)
#   autoload -Uz compinit
#   compinit
_frond() {
  local -a lines whole open
  local line value about
  lines=("\${(@f)$(command frond complete --shell zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  for line in "\${(@)lines[2,-1]}"; do
    value=\${line%%$'\\t'*}
    about=\${\${line#"$value"}#$'\\t'}
    line=\${\${value//\\\\/\\\\\\\\}//:/\\\\:}\${about:+":$about"}
    if [[ $value == *[=/] ]]; then open+=("$line"); else whole+=("$line"); fi
  done
  (( $#whole )) && _describe -V frond whole
  (( $#open )) && _describe -V frond open -S ''
  local -a how=(\${=lines[1]})
  [[ $how[1] != words && $PREFIX == --*=* ]] && compset -P '*='
  case $how[1] in
    directories) _files -/ ;;
    files) if (( $#how > 1 )); then _files -g "*(\${(j:|:)how[2,-1]})"; else _files; fi ;;
  esac
}
if [[ \${funcstack[1]} == _frond ]]; then _frond "$@"; else compdef _frond frond; fi
`;

const fish = `# Completion of frond for fish. Save it once:
#   mkdir -p ~/.config/fish/completions
#   frond completion fish > ~/.config/fish/completions/frond.fish
function __frond_complete
    set -l before (commandline -xpc 2>/dev/null; or commandline -opc)
    set -e before[1]
    set -l current (commandline -ct)
    set -l plain (string unescape -- "$current" 2>/dev/null; or string replace -r '^["\\']' '' -- "$current")
    command frond complete --shell fish -- $before "$plain" 2>/dev/null </dev/null
end
complete -c frond -f -k -a '(__frond_complete)'
`;

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
