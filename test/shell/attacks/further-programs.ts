import type { AttackGroup } from "./attack.ts";
import { harmless, refused, unseen, warned } from "./short-attacks.ts";

export const furtherPrograms: AttackGroup = {
  kind: "further programs, options and variables",
  attacks: [
    unseen("make with env variable used in recipe", 'VERSION="${inputs.v}" make', ";CANARY", {
      setup: "printf 'all:;@echo $(VERSION)\\n' > Makefile",
    }),
    warned("PKG_CONFIG in configure-less make var MAKE", 'OBJCOPY="${inputs.v}" make', "./evil", {
      setup: "printf '#!/bin/sh\\ntouch PWNED\\n' > evil; chmod +x evil; printf 'all:;@$(OBJCOPY) x\\n' > Makefile",
    }),
    refused("PERLLIB", "PERLLIB=\"${inputs.v}\" perl -e 'use Conf'", "./lib", {
      setup: "mkdir lib; echo 'system(\"touch PWNED\");1' > lib/Conf.pm",
    }),
    refused("TCL_LIBRARY", 'TCL_LIBRARY="${inputs.v}" tclsh </dev/null', "./lib", {
      setup: "mkdir lib; echo 'exec touch PWNED' > lib/init.tcl",
      needs: ["tclsh"],
    }),
    refused(
      "NODE_REPL_EXTERNAL_MODULE",
      'NODE_REPL_EXTERNAL_MODULE="$PWD/${inputs.v}" node -i </dev/null',
      "./evil.js",
      { setup: 'echo \'require("child_process").execSync("touch PWNED")\' > evil.js' },
    ),
    refused("GCONV_PATH", 'echo x | GCONV_PATH="${inputs.v}" iconv -f EVIL -t UTF-8', "./g", {
      setup:
        "mkdir g; printf 'module EVIL// INTERNAL evil 1\\n' > g/gconv-modules; printf '#include <stdlib.h>\\nvoid gconv(){} int gconv_init(){system(\"touch PWNED\");return 0;}' > e.c; gcc -shared -fPIC -o g/evil.so e.c",
      needs: ["gcc", "iconv"],
    }),
    refused("OPENSSL_MODULES", 'OPENSSL_MODULES="${inputs.v}" openssl list -providers -provider evil', "./m", {
      setup:
        "mkdir m; printf '#include <stdlib.h>\\n__attribute__((constructor)) void f(){system(\"touch PWNED\");}' > e.c; gcc -shared -fPIC -o m/evil.so e.c",
      needs: ["gcc", "openssl"],
    }),
    refused("OPENSSL_ENGINES", 'OPENSSL_ENGINES="${inputs.v}" openssl engine evil', "./m", {
      setup:
        "mkdir m; printf '#include <stdlib.h>\\n__attribute__((constructor)) void f(){system(\"touch PWNED\");}' > e.c; gcc -shared -fPIC -o m/evil.so e.c",
      needs: ["gcc", "openssl"],
    }),
    refused("WGETRC", 'WGETRC="${inputs.v}" wget -q -T1 -t1 http://127.0.0.1:1/', "w", {
      setup: "printf 'use_askpass=./evil\\n' > w; printf '#!/bin/sh\\ntouch PWNED\\n' > evil; chmod +x evil",
      needs: ["wget"],
    }),
    refused("GIT_COMMON_DIR", 'GIT_COMMON_DIR="$PWD/${inputs.v}" git go', "c", {
      setup: "git init -q . && git init -q --bare c && git --git-dir=c config alias.go '!touch PWNED'",
    }),
    refused("PYTHONUSERBASE", 'PYTHONUSERBASE="$PWD/${inputs.v}" python3 -c 1', "u", {
      setup:
        "d=$(PYTHONUSERBASE=$PWD/u python3 -c 'import site; print(site.getusersitepackages())'); mkdir -p $d; echo 'import os; os.system(\"touch PWNED\")' > $d/x.pth",
    }),
    refused("PYTEST_ADDOPTS", 'PYTEST_ADDOPTS="${inputs.v}" python3 -m pytest', "-p evil", {
      setup: "python3 -c 'import pytest' && echo 'import os; os.system(\"touch PWNED\")' > evil.py",
      needs: ["pytest"],
    }),
    refused("CMAKE_TOOLCHAIN_FILE", 'CMAKE_TOOLCHAIN_FILE="$PWD/${inputs.v}" cmake -B b . >/dev/null', "t.cmake", {
      setup:
        "echo 'execute_process(COMMAND touch PWNED)' > t.cmake; printf 'cmake_minimum_required(VERSION 3.21)\\nproject(x C)\\n' > CMakeLists.txt",
      needs: ["cmake"],
    }),
    refused(
      "CMAKE_C_COMPILER_LAUNCHER",
      'export CMAKE_C_COMPILER_LAUNCHER="$PWD/${inputs.v}"; cmake -B b . >/dev/null; cmake --build b',
      "./evil",
      {
        setup:
          "printf '#!/bin/sh\\ntouch $HOME/PWNED\\n\"$@\"\\n' > evil; chmod +x evil; printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x C)\\nadd_library(y STATIC y.c)\\n' > CMakeLists.txt; echo 'int y;' > y.c",
        needs: ["cmake"],
      },
    ),
    warned("GIT_TEMPLATE by option", 'git clone -q --template="${inputs.v}" r out', "tpl", {
      setup:
        "mkdir -p tpl/hooks; printf '#!/bin/sh\\ntouch ../PWNED PWNED\\n' > tpl/hooks/post-checkout; chmod +x tpl/hooks/*; git init -q r; git -C r -c user.email=a@b -c user.name=a commit -q --allow-empty -m x",
    }),
    warned(
      "git init --template",
      'git init -q --template "$PWD/${inputs.v}" .; git -c user.email=a@b -c user.name=a commit -q --allow-empty -m x',
      "tpl",
      { setup: "mkdir -p tpl/hooks; printf '#!/bin/sh\\ntouch PWNED\\n' > tpl/hooks/pre-commit; chmod +x tpl/hooks/*" },
    ),
    warned(
      "git clone --config",
      'git clone -q --config "${inputs.v}" r out; cd out; git status',
      "core.fsmonitor=CANARY;",
      { setup: "git init -q r; git -C r -c user.email=a@b -c user.name=a commit -q --allow-empty -m x" },
    ),
    warned("git --exec-path=", 'git --exec-path="${inputs.v}" go', "./x", {
      setup: "mkdir x; printf '#!/bin/sh\\ntouch PWNED\\n' > x/git-go; chmod +x x/git-go",
    }),
    warned("git --git-dir=", 'git --git-dir="${inputs.v}" go', "evil", {
      setup: "git init -q --bare evil; git --git-dir=evil config alias.go '!touch PWNED'",
    }),
    unseen("git -C v status", 'git -C "${inputs.v}" status', "evil", {
      setup: "git init -q evil; git -C evil config core.fsmonitor 'touch $HOME/PWNED;'",
    }),
    warned("git bisect run v", 'git bisect start HEAD HEAD~2; git bisect run "${inputs.v}"', "./evil", {
      setup:
        "git init -q . && git config user.email a@b && git config user.name a; for i in 1 2 3; do git commit -q --allow-empty -m $i; done; printf '#!/bin/sh\\ntouch PWNED\\n' > evil; chmod +x evil",
    }),
    warned("git -C d config alias", 'git -C d config alias.go "${inputs.v}"; git -C d go', "!CANARY", {
      setup: "git init -q d",
    }),
    warned(
      "git config pager.log",
      "git config pager.log \"${inputs.v}\"; script -qc 'git log' out </dev/null",
      "CANARY",
      {
        setup: "git init -q . && git config user.email a@b && git config user.name a; git commit -q --allow-empty -m x",
        needs: ["script"],
      },
    ),
    warned("git config sequence.editor", 'git config sequence.editor "${inputs.v}"; git rebase -i HEAD~1', "CANARY;", {
      setup:
        "git init -q . && git config user.email a@b && git config user.name a; git commit -q --allow-empty -m x; git commit -q --allow-empty -m y",
    }),
    warned("git config diff.external", 'git config diff.external "${inputs.v}"; git --no-pager diff', "CANARY;", {
      setup: "git init -q . && echo x > f && git add f && echo y > f",
    }),
    warned("git config include.path", 'git config include.path "../${inputs.v}"; git go', "cfg", {
      setup: "git init -q .; printf '[alias]\\ngo=!touch PWNED\\n' > cfg",
    }),
    warned(
      "git config core.hooksPath by -C",
      'git -C . config core.hooksPath "${inputs.v}"; git commit -q --allow-empty -m x',
      "hooks",
      {
        setup:
          "git init -q .; git config user.email a@b; git config user.name a; mkdir hooks; printf '#!/bin/sh\\ntouch PWNED\\n' > hooks/pre-commit; chmod +x hooks/*",
      },
    ),
    warned("tar --use= abbreviated", 'echo > a; tar --use="${inputs.v}" -cf a.tar a'),
    warned("sort --compress-prog abbreviated", 'sort --compress-prog="${inputs.v}" -S 1k f >/dev/null', "./evil", {
      setup: "printf '#!/bin/sh\\ntouch PWNED\\ncat\\n' > evil; chmod +x evil; seq 1000 > f",
    }),
    warned("sort --comp v", 'sort --comp "${inputs.v}" -S 1k f >/dev/null', "./evil", {
      setup: "printf '#!/bin/sh\\ntouch PWNED\\ncat\\n' > evil; chmod +x evil; seq 1000 > f",
    }),
    refused("env --split abbreviated", 'env --split="${inputs.v}"'),
    warned("gdb --batch --eval abbreviated", 'gdb -nx -batch -eval-comm "${inputs.v}"', "shell CANARY", {
      needs: ["gdb"],
    }),
    warned("perl -pe file name", "perl -pe 's/a/b/' -- \"${inputs.v}\"", "HERE|"),
    unseen("perl -ne over glob", "touch -- \"${inputs.v}\"; perl -ne 'print' *", "HERE|"),
    refused("python -m timeit", 'python3 -m timeit -n 1 "${inputs.v}"', '__import__("os").system("CANARY")'),
    refused("python -m timeit -s", 'python3 -m timeit -n 1 -s "${inputs.v}" pass', 'import os; os.system("CANARY")'),
    refused(
      "python -m pdb -c",
      'python3 -m pdb -c "${inputs.v}" -c q x.py </dev/null',
      '!import os; os.system("CANARY")',
      { setup: "echo 1 > x.py" },
    ),
    warned("python -m unittest name", 'python3 -m unittest "${inputs.v}"', "evil", {
      setup: "echo 'import os; os.system(\"touch PWNED\")' > evil.py",
    }),
    warned("python -m pytest option", 'python3 -m pytest "${inputs.v}"', "-pevil", {
      setup: "python3 -c 'import pytest' && echo 'import os; os.system(\"touch PWNED\")' > evil.py",
      needs: ["pytest"],
    }),
    warned("java @argfile / -cp", 'java -cp "${inputs.v}" M', "d", {
      setup:
        "mkdir d; cd d; echo 'class M{static{try{Runtime.getRuntime().exec(\"touch PWNED\").waitFor();}catch(Exception e){}}public static void main(String[] a){}}' > M.java; javac M.java",
      needs: ["java"],
    }),
    warned("cmake -D compiler launcher", 'cmake -B b -DCMAKE_C_COMPILER="$PWD/${inputs.v}" . >/dev/null', "evil", {
      setup:
        "printf '#!/bin/sh\\ntouch $HOME/PWNED\\n\"$@\"\\n' > evil; chmod +x evil; printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x C)\\n' > CMakeLists.txt",
      needs: ["cmake"],
    }),
    warned("cmake -C file", 'cmake -C "${inputs.v}" -B b . > /dev/null', "c.cmake", {
      setup:
        "echo 'execute_process(COMMAND touch PWNED)' > c.cmake; printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x NONE)\\n' > CMakeLists.txt",
      needs: ["cmake"],
    }),
    warned("cmake --build -- v", 'cmake --build b -- "${inputs.v}"', "--eval=$(shell CANARY)", {
      setup:
        "printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x NONE)\\n' > CMakeLists.txt; cmake -G 'Unix Makefiles' -B b . >/dev/null",
      needs: ["cmake"],
    }),
    warned("cmake -E env v", 'cmake -E env "${inputs.v}"', "./evil", {
      setup: "printf '#!/bin/sh\\ntouch PWNED\\n' > evil; chmod +x evil",
      needs: ["cmake"],
    }),
    warned("make -E v", "printf 'all:;@true\\n' > Makefile; make -E \"${inputs.v}\"", "$(shell CANARY)"),
    warned("make -sE", "printf 'all:;@true\\n' > Makefile; make -sE \"${inputs.v}\"", "$(shell CANARY)"),
    refused('awk print | "cat > " $1', 'echo "${inputs.v}" | awk \'{ print | "cat > " $0 }\'', "x;CANARY"),
    refused('awk print | "exec sh"', 'echo "${inputs.v}" | awk \'{ print | "exec sh" }\''),
    refused('awk print | "env bash"', 'echo "${inputs.v}" | awk \'{ print | "env bash" }\''),
    refused(
      "awk -v in written program -f attached",
      "echo 'BEGIN { system(c) }' > p.awk; awk -v c=\"${inputs.v}\" -fp.awk",
    ),
    refused(
      "awk loop over ENVIRON",
      'export N="${inputs.v}"; awk \'BEGIN { for (k in ENVIRON) if (k == "N") system(ENVIRON[k]) }\'',
    ),
    refused("sed /./e", "printf '%s\\n' \"${inputs.v}\" | sed '/./e'"),
    refused("sed $e", "printf '%s\\n' \"${inputs.v}\" | sed '$e'"),
    refused("sed 1,3e", "printf '%s\\n' \"${inputs.v}\" | sed -n '1,3e'"),
    refused("sed s///Ie", "printf '%s\\n' \"${inputs.v}\" | sed 's/^x*//Ie'"),
    refused("sed s///me", "printf '%s\\n' \"${inputs.v}\" | sed 's/^//Me'"),
    refused("sed s with escaped delimiter e", "printf '%s\\n' \"${inputs.v}\" | sed 's/\\/*$//e'"),
    refused("sed e over file", "printf '%s\\n' \"${inputs.v}\" > in.txt; sed 's/$//e' in.txt"),
    refused("stdin with sed /./e", "sed '/./e'", "CANARY", { stdin: "${inputs.v}" }),
    warned("stdin with cp /dev/stdin", "cp /dev/stdin a; bash a", "CANARY", { stdin: "${inputs.v}" }),
    warned("stdin with install /dev/stdin", "install -m 755 /dev/stdin a; bash a", "CANARY", { stdin: "${inputs.v}" }),
    warned("stdin with sort -o", "sort -o a; bash a", "CANARY", { stdin: "${inputs.v}" }),
    refused("env with compgen -v", "for k in $(compgen -v CFG_); do echo $(( ${!k} )); done", "a[$(CANARY)]", {
      env: { CFG_N: "${inputs.v}" },
    }),
    refused(
      "env with xargs /proc/self/environ",
      "x=$(grep -az ^CFG_N= /proc/self/environ | tr -d '\\0'); eval \"${x#*=}\"",
      "CANARY",
      { env: { CFG_N: "${inputs.v}" } },
    ),
    refused(
      "env with node destructured",
      'x=$(node -e \'const { env } = process; console.log(env["CFG_N"])\'); eval "$x"',
      "CANARY",
      { env: { CFG_N: "${inputs.v}" } },
    ),
    refused(
      "env with python from os import environ",
      'x=$(python3 -c \'from os import environ; print(environ["CFG_N"])\'); eval "$x"',
      "CANARY",
      { env: { CFG_N: "${inputs.v}" } },
    ),
    refused("env with jq env", "x=$(jq -nr 'env | .CFG_N'); eval \"$x\"", "CANARY", {
      needs: ["jq"],
      env: { CFG_N: "${inputs.v}" },
    }),
    unseen("env with make $(shell)", "printf 'all:;@echo $(CFG_N)\\n' > Makefile; make", ";CANARY", {
      env: { CFG_N: "${inputs.v}" },
    }),
    refused(
      "env with child script arithmetic",
      "echo 'echo $((CFG_N))' > s; mkdir d; mv s d/s.sh; bash d/s.sh",
      "a[$(CANARY)]",
      { env: { CFG_N: "${inputs.v}" } },
    ),
    refused("env with sed e", "sed '$e' <<< \"$CFG_N\"", "CANARY", { env: { CFG_N: "${inputs.v}" } }),
    refused("env with printenv by other path", 'x=$(/usr/bin/printenv CFG_N); eval "$x"', "CANARY", {
      env: { CFG_N: "${inputs.v}" },
    }),
    refused("env with command env", "x=$(/usr/bin/env | sed -n 's/^CFG_N=//p'); eval \"$x\"", "CANARY", {
      env: { CFG_N: "${inputs.v}" },
    }),
    refused("env with timeout printenv", 'x=$(timeout 3 printenv CFG_N); eval "$x"', "CANARY", {
      env: { CFG_N: "${inputs.v}" },
    }),
    refused("ZIPOPT", 'ZIPOPT="${inputs.v}" zip -q a.zip a', "-T -TT touch${IFS}PWNED;", {
      setup: "echo > a",
      needs: ["zip"],
    }),
    warned("TARGET_ARCH make", 'TARGET_ARCH="${inputs.v}" make f.o', ";CANARY;true ", { setup: "echo 'int x;' > f.c" }),
    warned("perl -i -pe (2) with -n only", "perl -ne 'print if /x/' ./nofile \"${inputs.v}\"", "HERE|"),
    refused("VIMINIT", "VIMINIT=\"${inputs.v}\" script -qc 'vim -c qa!' out </dev/null", 'call system("CANARY")|qa!', {
      needs: ["vim", "script"],
    }),
    refused("MANOPT", "MANOPT=\"${inputs.v}\" script -qc 'man -l ./x.1' out </dev/null", "-P./evil", {
      setup: "printf '.TH X 1\\n' > x.1; printf '#!/bin/sh\\ntouch PWNED\\n' > evil; chmod +x evil",
      needs: ["man", "script"],
    }),
    harmless("tar with letters and a file", 'tar xzf "${inputs.v}"'),
    harmless("a template for a message", 'git commit --template "${inputs.v}" -m x'),
    harmless("git apply --index", 'git apply --index -- "${inputs.v}"'),
    harmless("git in a directory", 'git -C "${inputs.v}" status'),
    harmless("git config of a name", 'git -C d config user.name "${inputs.v}"'),
    harmless("git bisect start", 'git bisect start HEAD "v${inputs.v}"'),
    harmless("cmake with a type of build", 'cmake -B b -DCMAKE_BUILD_TYPE="${inputs.v}" .'),
    harmless("cmake --build of a target", 'cmake --build b --target "${inputs.v}"'),
    harmless("tar --newer", 'tar --newer="${inputs.v}" -cf a.tar dist'),
    harmless("sort by a check", 'sort --check --key="${inputs.v}" f'),
    harmless("pytest -k", 'python3 -m pytest -k "${inputs.v}" tests'),
    harmless("sed that deletes", "printf '%s\\n' \"${inputs.v}\" | sed -e '/^#/d' -e 's/the/e/g' -e '$d'"),
    harmless("sed with the letter e in its texts", "printf '%s\\n' \"${inputs.v}\" | sed 's/a/e/; s|e|x|g; /re/p'"),
    harmless("awk that pipes to sort", "printf '%s\\n' \"${inputs.v}\" | awk '{ print $1 | \"sort -u\" }'"),
    harmless("perl that reads its input", "printf '%s\\n' \"${inputs.v}\" | perl -pe 's/a/b/'"),
    harmless("a variable printed by its path", 'N="${inputs.v}" /usr/bin/printenv N'),
    harmless(
      "python with the environment as data",
      'N="${inputs.v}" python3 -c \'from os import environ; print(environ["N"])\'',
    ),
  ],
};
