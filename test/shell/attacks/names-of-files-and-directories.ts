import type { AttackGroup } from "./attack.ts";
import { harmless, refused } from "./short-attacks.ts";

export const namesOfFilesAndDirectories: AttackGroup = {
  kind: "names of files and directories that come back",
  attacks: [
    refused("x=$(cd -)", 'mkdir "${inputs.v}"; cd "${inputs.v}"; cd ..; x=$(cd -); eval "${x##*/}"', "HERE"),
    refused(
      "x=$(popd)",
      'mkdir "${inputs.v}" ; pushd "${inputs.v}" >/dev/null; pushd .. >/dev/null; x=$(popd); x=${x%% *}; x=$(pushd); eval "${x##*/}"',
      "HERE",
    ),
    refused("/usr/bin/pwd", 'mkdir "${inputs.v}"; cd "${inputs.v}"; x=$(/usr/bin/pwd); cd ..; eval "${x##*/}"', "HERE"),
    refused("env pwd", 'mkdir "${inputs.v}"; cd "${inputs.v}"; x=$(env pwd); cd ..; eval "${x##*/}"', "HERE"),
    refused(
      "python getcwd",
      'mkdir "${inputs.v}"; cd "${inputs.v}"; x=$(python3 -c \'import os; print(os.getcwd())\'); cd ..; eval "${x##*/}"',
      "HERE",
    ),
    refused(
      "node process.cwd",
      'mkdir "${inputs.v}"; cd "${inputs.v}"; x=$(node -p \'process.cwd()\'); cd ..; eval "${x##*/}"',
      "HERE",
    ),
    refused(
      "perl getcwd",
      'mkdir "${inputs.v}"; cd "${inputs.v}"; x=$(perl -MCwd -e \'print getcwd\'); cd ..; eval "${x##*/}"',
      "HERE",
    ),
    refused(
      "git show-toplevel",
      'mkdir "${inputs.v}"; cd "${inputs.v}"; git init -q .; x=$(git rev-parse --show-toplevel); cd ..; eval "${x##*/}"',
      "HERE",
    ),
    refused(
      "~0 tilde stack",
      'mkdir "${inputs.v}"; pushd "${inputs.v}" >/dev/null; x=~0; cd ..; eval "${x##*/}"',
      "HERE",
    ),
    refused(
      "~1 tilde stack",
      'mkdir "${inputs.v}"; pushd "${inputs.v}" >/dev/null; pushd .. >/dev/null; x=~1; eval "${x##*/}"',
      "HERE",
    ),
    refused("printf -v with glob", 'touch -- "${inputs.v}"; printf -v x \'%s\' t*; eval "$x"', "HERE"),
    refused(
      "pattern in variable, for",
      'touch -- "${inputs.v}"; p=\'t*\'; IFS=; for f in $p; do eval "$f"; done',
      "HERE",
    ),
    refused("pattern in variable, array", 'touch -- "${inputs.v}"; p=\'*\'; IFS=; a=($p); eval "${a[0]}"', "HERE"),
    refused("pattern in variable, echo", 'touch -- "${inputs.v}"; p=\'*\'; x=$(echo $p); eval "$x"', "HERE"),
    refused("pattern in variable, set", 'touch -- "${inputs.v}"; p=\'*\'; IFS=; set -- $p; eval "$1"', "HERE"),
    refused("command touch", 'command touch -- "${inputs.v}"; for f in *; do eval "$f"; done', "HERE"),
    refused("env mkdir", 'env mkdir -- "${inputs.v}"; for f in *; do eval "$f"; done', "HERE"),
    refused("timeout touch", 'timeout 3 touch -- "${inputs.v}"; for f in *; do echo $((f)); done', "a[$(HERE)]"),
    refused("xargs touch", 'printf \'%s\\0\' "${inputs.v}" | xargs -0 touch; for f in *; do eval "$f"; done', "HERE"),
    refused("mkfifo name", 'mkfifo "${inputs.v}"; for f in *; do eval "$f"; done', "HERE"),
    refused("truncate name", 'truncate -s 0 "${inputs.v}"; for f in *; do eval "$f"; done', "HERE"),
    refused("sort -o name", 'echo x | sort -o "${inputs.v}"; for f in *; do eval "$f"; done', "HERE"),
    refused("tar -cf name", 'echo > a; tar -cf "./${inputs.v}" a; rm a; for f in *; do eval "$f"; done', "HERE"),
    refused("zip name", 'echo > a; zip -q "./${inputs.v}" a; rm a; for f in *; do eval "${f%.zip}"; done', "HERE", {
      needs: ["zip"],
    }),
    refused("curl -o name", 'curl -s -o "${inputs.v}" file:///etc/hostname; for f in *; do eval "$f"; done', "HERE", {
      needs: ["curl"],
    }),
    refused(
      "python open(argv) name",
      'python3 -c \'import sys; open(sys.argv[1], "w")\' "${inputs.v}"; for f in *; do eval "$f"; done',
      "HERE",
    ),
    refused(
      "git init dir (command git)",
      'command git init -q "./${inputs.v}"; for f in *; do eval "$f"; done',
      "HERE",
    ),
    refused(
      ">& by glob in variable",
      'touch -- "${inputs.v}"; p=\'*\'; IFS=; for f in $p; do echo hi >& "$f"; done',
      "$(HERE)",
    ),
    refused(">& by cd -", 'mkdir "${inputs.v}"; cd "${inputs.v}"; cd ..; t=$(cd -); echo hi >& "${t##*/}"', "$(HERE)"),
    refused(
      "dash with pattern in variable",
      'touch -- "${inputs.v}"; p=\'*\'; IFS=; for f in $p; do eval "$f"; done',
      "HERE",
      { shell: "dash" },
    ),
    harmless(
      "a pattern in a variable, printed",
      'touch -- "${inputs.v}"; p=\'*.txt\'; for f in $p; do echo "$f"; done',
    ),
    harmless(
      "a directory made behind a launcher",
      'command mkdir -p -- "${inputs.v}"; env touch "./${inputs.v}/x"; ls',
    ),
    harmless(
      "a directory entered and left",
      'mkdir -p "./${inputs.v}"; pushd "./${inputs.v}" >/dev/null; n=$(ls | wc -l); popd >/dev/null; echo $((n + 1))',
    ),
    harmless(
      "the top of a repository, printed",
      'cd "./${inputs.v}"; root=$(git rev-parse --show-toplevel); echo "$root"',
    ),
    harmless("an archive of the name, and a fixed script", 'tar -czf "./${inputs.v}.tgz" dist; bash build.sh'),
  ],
};
