import type { AttackGroup } from "./attack.ts";
import { harmless, refused, unseen } from "./short-attacks.ts";

export const fixedTextsThatRun: AttackGroup = {
  kind: "fixed texts that run with a value",
  attacks: [
    refused(
      "fixed script written in dir, run there",
      'mkdir d\ncat > d/f.sh <<\'EOF\'\neval "$1"\nEOF\ncd d; bash f.sh "${inputs.v}"',
    ),
    refused("fixed script copied", 'cat > a <<\'EOF\'\neval "$1"\nEOF\ncp a b.sh; bash b.sh "${inputs.v}"'),
    refused("fixed script moved", 'echo \'eval "$1"\' > a; mv a b.sh; bash b.sh "${inputs.v}"'),
    refused("fixed script linked", 'echo \'eval "$1"\' > a; ln -s a b.sh; bash b.sh "${inputs.v}"'),
    refused(
      "fixed script installed to bin in PATH",
      'printf \'#!/bin/bash\\neval "$1"\\n\' > a; mkdir bin; install -m 755 a bin/go; PATH=$PWD/bin:$PATH; go "${inputs.v}"',
    ),
    refused(
      "fixed script in PATH",
      'mkdir bin; printf \'#!/bin/bash\\neval "$1"\\n\' > bin/go; chmod +x bin/go; PATH=$PWD/bin:$PATH; go "${inputs.v}"',
    ),
    refused("fixed script by echo -e", 'echo -e \'#!/bin/bash\\neval "$1"\' > s.sh; bash s.sh "${inputs.v}"'),
    refused(
      "fixed script by cat | sudo tee",
      'cat <<\'EOF\' | command tee s.sh > /dev/null\neval "$1"\nEOF\nbash s.sh "${inputs.v}"',
    ),
    refused(
      "fixed script by install /dev/stdin",
      'install -m 755 /dev/stdin s.sh <<\'EOF\'\n#!/bin/bash\neval "$1"\nEOF\n./s.sh "${inputs.v}"',
    ),
    refused("fixed script by dd", 'dd of=s.sh 2>/dev/null <<\'EOF\'\neval "$1"\nEOF\nbash s.sh "${inputs.v}"'),
    unseen("fixed script by sed >", 'echo \'evalx "$1"\' | sed s/x// > s.sh; bash s.sh "${inputs.v}"'),
    refused("fixed script by for loop", 'for l in \'eval "$1"\'; do echo "$l"; done > s.sh; bash s.sh "${inputs.v}"'),
    refused("fixed script by list", 'echo \'eval "$1"\' > s.sh; c=(bash s.sh); "${c[@]}" "${inputs.v}"'),
    refused('fixed script by "$BASH"', 'echo \'eval "$1"\' > s.sh; "$BASH" s.sh "${inputs.v}"'),
    refused(
      "fixed script by find -exec",
      'echo \'eval "$2"\' > s.sh; v="${inputs.v}"; find . -name \'s.sh\' -exec bash {} x "$v" \\;',
    ),
    refused("read -d '' code", 'read -r -d \'\' code <<\'EOF\'\neval "$1"\nEOF\nbash -c "$code" _ "${inputs.v}"'),
    refused("code=$(cat <<'EOF')", 'code=$(cat <<\'EOF\'\neval "$1"\nEOF\n)\nbash -c "$code" _ "${inputs.v}"'),
    refused(
      "code=$(cat) eval",
      'n="${inputs.v}"\ncode=$(cat <<\'EOF\'\necho $(( n ))\nEOF\n)\neval "$code"',
      "a[$(CANARY)]",
    ),
    refused("code by function", 'code() { echo \'eval "$1"\'; }; bash -c "$(code)" _ "${inputs.v}"'),
    refused("code by printf -v", 'printf -v code \'%s\' \'eval "$1"\'; bash -c "$code" _ "${inputs.v}"'),
    refused("code by +=", 'code=\'true;\'; code+=\'eval "$1"\'; bash -c "$code" _ "${inputs.v}"'),
    refused(
      "code by two assignments",
      'if true; then code=\'eval "$1"\'; else code=\'echo "$1"\'; fi; bash -c "$code" _ "${inputs.v}"',
    ),
    refused(
      "code in array",
      'codes=(\'echo "$1"\' \'eval "$1"\'); for c in "${codes[@]}"; do bash -c "$c" _ "${inputs.v}"; done',
    ),
    refused("code in parameter", 'sh_run() { bash -c "$1" _ "$2"; }; sh_run \'eval "$1"\' "${inputs.v}"'),
    refused(
      "code in parameter of two calls",
      'sh_run() { bash -c "$1" _ "$2"; }; sh_run \'echo "$1"\' x; sh_run \'eval "$1"\' "${inputs.v}"',
    ),
    refused("code in default", 'bash -c "${CODE:-eval \\"\\$1\\"}" _ "${inputs.v}"'),
    refused("eval in parameter text", 'n="${inputs.v}"; try() { eval "$1"; }; try \'echo $((n))\'', "a[$(CANARY)]"),
    refused(
      "eval of two texts",
      "n=\"${inputs.v}\"; for t in 'echo hi' 'echo $((n))'; do eval \"$t\"; done",
      "a[$(CANARY)]",
    ),
    refused("trap by variable two texts", 'n="${inputs.v}"; t=true; t=\'echo $((n))\'; trap "$t" EXIT', "a[$(CANARY)]"),
    refused(". <(echo fixed)", 'n="${inputs.v}"; . <(echo \'eval "$n"\')'),
    refused("source /dev/stdin <<< fixed", 'n="${inputs.v}"; source /dev/stdin <<< \'eval "$n"\''),
    refused(". /dev/stdin here-doc", "n=\"${inputs.v}\"\n. /dev/stdin <<'EOF'\necho $(( n ))\nEOF", "a[$(CANARY)]"),
    refused('eval "$(echo fixed)"', 'n="${inputs.v}"; eval "$(echo \'eval "$n"\')"'),
    refused(
      "eval \"$(cat <<'EOF')\"",
      'n="${inputs.v}"\neval "$(cat <<\'EOF\'\necho $(( n ))\nEOF\n)"',
      "a[$(CANARY)]",
    ),
    refused("bash /dev/fd/3", 'bash /dev/fd/3 "${inputs.v}" 3<<< \'eval "$1"\''),
    refused("bash /dev/stdin v <<EOF", 'bash /dev/stdin "${inputs.v}" <<\'EOF\'\neval "$1"\nEOF'),
    refused("flock -c fixed with env", 'export N="${inputs.v}"; flock l -c \'eval "$N"\'', "CANARY", {
      needs: ["flock"],
    }),
    refused("script -c fixed with env", 'export N="${inputs.v}"; script -qc \'eval "$N"\' out </dev/null', "CANARY", {
      needs: ["script"],
    }),
    refused(
      "watch fixed with env",
      'export N="${inputs.v}"; export TERM=xterm; timeout 1 watch -n 1 \'eval "$N"\'',
      "CANARY",
      { needs: ["watch"] },
    ),
    refused("make recipe fixed with env", 'export N="${inputs.v}"; printf \'all:;@eval "$$N"\\n\' > Makefile; make'),
    refused("git alias fixed with env", 'export N="${inputs.v}"; git -c alias.go=\'!eval "$N"\' go'),
    refused("git alias fixed with argument", 'git -c alias.go=\'!sh -c "eval \\"\\$1\\"" _\' go "${inputs.v}"'),
    refused(
      "git rebase -x fixed env",
      'export N="${inputs.v}"; git rebase -q --keep-empty -x \'eval "$N"\' HEAD~1',
      "CANARY",
      {
        setup:
          "git init -q . && git config user.email a@b && git config user.name a && git commit -q --allow-empty -m x && git commit -q --allow-empty -m y",
      },
    ),
    refused(
      "GIT_SSH_COMMAND fixed with env",
      'export N="${inputs.v}"; GIT_SSH_COMMAND=\'eval "$N";\' git ls-remote ssh://h.invalid/x',
      "CANARY",
      { needs: ["ssh"] },
    ),
    refused("awk system fixed with env", 'export N="${inputs.v}"; awk \'BEGIN { system("eval \\"$N\\"") }\''),
    refused(
      ">& in code text of variable",
      't="${inputs.v}"; try() { eval "$1"; }; try \'echo hi >& "$t"\'',
      "$(CANARY)",
    ),
    refused(">& in written lib copied", 'echo \'echo hi >& "$1"\' > a; cp a b; bash b "${inputs.v}"', "$(CANARY)"),
    refused(
      "dash with code here-doc",
      'code=$(cat <<\'EOF\'\neval "$1"\nEOF\n)\nsh -c "$code" _ "${inputs.v}"',
      "CANARY",
      { shell: "dash" },
    ),
    refused(
      "dash with printf to file copied",
      "printf '%s\\n' 'eval \"$1\"' > a; cp a b; sh b \"${inputs.v}\"",
      "CANARY",
      { shell: "dash" },
    ),
    harmless(
      "a here-document as code, with the value as an argument",
      'code=$(cat <<\'EOF\'\nprintf \'%s\\n\' "$1"\nEOF\n)\nbash -c "$code" _ "${inputs.v}"',
    ),
    harmless(
      "read -d '' of harmless code",
      'read -r -d \'\' code <<\'EOF\' || true\necho "$1"\nEOF\nbash -c "$code" _ "${inputs.v}"',
    ),
    harmless(
      "a function that runs code with arguments",
      'sh_run() { bash -c "$1" _ "$2"; }; sh_run \'echo "$1"\' "${inputs.v}"',
    ),
    harmless("a function that evaluates fixed text", 'n="${inputs.v}"; try() { eval "$1"; }; try \'echo "$n"\''),
    harmless(
      "a written script, copied and run",
      "printf '%s\\n' 'echo \"$1\"' > a; cp a b.sh; bash b.sh \"${inputs.v}\"",
    ),
    harmless("a sourced text", 'n="${inputs.v}"; source /dev/stdin <<< \'echo "$n"\''),
    harmless("flock with a fixed command", 'export N="${inputs.v}"; flock lock -c \'echo "$N"\''),
    harmless(
      "an alias of git with the value as an argument",
      'git -c alias.show=\'!printf "%s\\n"\' show "${inputs.v}"',
    ),
    harmless(
      "a recipe with the value in the environment",
      'export N="${inputs.v}"; printf \'all:;@echo "$$N"\\n\' > Makefile; make',
    ),
    harmless(
      "a command for ssh of git",
      'export KEY="${inputs.v}"; GIT_SSH_COMMAND=\'ssh -i "$KEY"\' git fetch origin',
    ),
    harmless("awk that runs a fixed command", 'export N="${inputs.v}"; awk \'BEGIN { system("date") }\''),
    harmless("a script by a list", 'echo \'echo "$1"\' > s.sh; c=(bash s.sh); "${c[@]}" "${inputs.v}"'),
  ],
};
