import type { AttackGroup } from "./attack.ts";
import { harmless, unseen, warned } from "./short-attacks.ts";

export const filesRunOtherwise: AttackGroup = {
  kind: "written files run in another way",
  attacks: [
    warned("env -S", "echo \"${inputs.v}\" > a.sh; env -S 'bash a.sh'"),
    warned("flock -c of a written file", "echo \"${inputs.v}\" > a.sh; flock l -c 'bash a.sh'", "CANARY", {
      needs: ["flock"],
    }),
    warned(
      "script -c of a written file",
      "echo \"${inputs.v}\" > a.sh; script -qc 'bash a.sh' out < /dev/null",
      "CANARY",
      {
        needs: ["script"],
      },
    ),
    warned("find -exec {}", 'echo "${inputs.v}" > a.sh; chmod +x a.sh; find . -name a.sh -exec {} \\;'),
    warned("find -exec ./a.sh", 'echo "${inputs.v}" > a.sh; chmod +x a.sh; find . -maxdepth 0 -exec ./a.sh \\;'),
    warned("find -execdir", "echo \"${inputs.v}\" > a.sh; chmod +x a.sh; find . -name 'a.*' -execdir {} \\;"),
    warned(
      "run-parts",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > hooks/x; chmod +x hooks/x; cd hooks; cd ..; export OLDPWD=$PWD; run-parts hooks",
      "CANARY",
      { setup: "mkdir hooks", needs: ["run-parts"] },
    ),
    warned("hash -p of a written file", 'echo "${inputs.v}" > a.sh; chmod +x a.sh; hash -p ./a.sh lint; lint'),
    warned("alias to file", "shopt -s expand_aliases\necho \"${inputs.v}\" > a.sh\nalias lint='bash a.sh'\nlint"),
    warned('text "bash a.sh"', 'echo "${inputs.v}" > a.sh; c="bash a.sh"; $c'),
    warned('"$BASH" a.sh', 'echo "${inputs.v}" > a.sh; "$BASH" a.sh'),
    warned("$SHELL a.sh", 'SHELL=/bin/bash; echo "${inputs.v}" > a.sh; $SHELL a.sh'),
    warned("/bin/b?sh a.sh", 'echo "${inputs.v}" > a.sh; /bin/b?sh a.sh'),
    warned("$(command -v bash) a.sh", 'echo "${inputs.v}" > a.sh; $(command -v bash) a.sh'),
    warned("sh variable default", 'echo "${inputs.v}" > a.sh; ${SH:-bash} a.sh'),
    warned("~+/a.sh", 'echo "${inputs.v}" > a.sh; . ~+/a.sh'),
    warned(
      "GIT_EDITOR=./a.sh",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > a.sh; chmod +x a.sh; GIT_EDITOR=./a.sh git commit --allow-empty",
      "CANARY",
      { setup: "git init -q . && git config user.email a@b && git config user.name a" },
    ),
    warned(
      "GIT_ASKPASS=./askpass.sh",
      "printf '#!/bin/sh\\necho %s\\n' \"${inputs.v}\" > askpass.sh; chmod +x askpass.sh; printf 'protocol=https\\nhost=x.invalid\\n\\n' | GIT_ASKPASS=$PWD/askpass.sh git credential fill",
      "$(CANARY)",
    ),
    warned(
      "GIT_SSH=./ssh.sh",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > ssh.sh; chmod +x ssh.sh; GIT_SSH=$PWD/ssh.sh git ls-remote ssh://h.invalid/x",
      "CANARY",
      { needs: ["ssh"] },
    ),
    warned(
      "GIT_SSH_COMMAND=sh file",
      'printf \'#!/bin/sh\\n%s\\n\' "${inputs.v}" > w; GIT_SSH_COMMAND="sh $PWD/w" git ls-remote ssh://h.invalid/x',
      "CANARY",
      { needs: ["ssh"] },
    ),
    warned(
      "git -c core.sshCommand file",
      'printf \'#!/bin/sh\\n%s\\n\' "${inputs.v}" > w; chmod +x w; git -c core.sshCommand="$PWD/w" ls-remote ssh://h.invalid/x',
      "CANARY",
      { needs: ["ssh"] },
    ),
    warned(
      "PAGER=./a.sh",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > a.sh; chmod +x a.sh; script -qc 'GIT_PAGER=./a.sh git -p log' out </dev/null",
      "CANARY",
      {
        setup:
          "git init -q . && git config user.email a@b && git config user.name a && git commit -q --allow-empty -m x",
        needs: ["script"],
      },
    ),
    warned("export BASH_ENV=file", 'echo "${inputs.v}" > env.sh; export BASH_ENV=$PWD/env.sh; bash -c :'),
    warned("env BASH_ENV=file", 'echo "${inputs.v}" > env.sh; env BASH_ENV=./env.sh bash -c :'),
    warned(
      "append to $BASH_ENV",
      'export BASH_ENV=e.sh; echo "export X=1; ${inputs.v}" >> "$BASH_ENV"; bash -c \'echo "$X"\'',
      "CANARY",
      { setup: "touch e.sh" },
    ),
    warned("export ENV=file sh -i", 'echo "${inputs.v}" > env.sh; export ENV=./env.sh; sh -i </dev/null'),
    warned("~/.bashrc, bash -i", 'echo "${inputs.v}" >> ~/.bashrc; bash -ic true </dev/null'),
    warned("$HOME/.profile, bash -l", 'echo "${inputs.v}" >> "$HOME/.profile"; bash -lc true'),
    warned(
      "PYTHONSTARTUP=file",
      'echo "${inputs.v}" > p.py; PYTHONSTARTUP=p.py python3 -i </dev/null',
      'import os; os.system("CANARY")',
    ),
    warned(
      "python import of written module",
      "echo \"${inputs.v}\" > settings.py; python3 -c 'import settings'",
      'import os; os.system("CANARY")',
    ),
    warned("python -m written module", 'echo "${inputs.v}" > mod.py; python3 -m mod', 'import os; os.system("CANARY")'),
    warned(
      "python script imports written module",
      'echo "VERSION = \\"${inputs.v}\\"" > version.py\ncat > main.py <<\'EOF\'\nimport version\nEOF\npython3 main.py',
      '"; import os; os.system("CANARY"); "',
    ),
    warned(
      "python exec(open())",
      'echo "${inputs.v}" > c.txt; python3 -c \'exec(open("c.txt").read())\'',
      'import os; os.system("CANARY")',
    ),
    warned(
      "node require written",
      'echo "${inputs.v}" > conf.js; node -e \'require("./conf")\'',
      'require("child_process").execSync("CANARY")',
    ),
    warned(
      "node -r written",
      'echo "${inputs.v}" > conf.js; node -r ./conf.js -e 1',
      'require("child_process").execSync("CANARY")',
    ),
    warned(
      "node --import= written",
      'echo "${inputs.v}" > conf.mjs; node --import=./conf.mjs -e 1',
      'import("child_process").then(c=>c.execSync("CANARY"))',
    ),
    warned(
      "NODE_OPTIONS --require written",
      'echo "${inputs.v}" > conf.js; NODE_OPTIONS="--require ./conf.js" node -e 1',
      'require("child_process").execSync("CANARY")',
    ),
    warned("perl -M written", 'echo "${inputs.v}" > Conf.pm; perl -I. -MConf -e 1', 'system("CANARY");1'),
    warned("perl do", 'echo "${inputs.v}" > c.pl; perl -e \'do "./c.pl"\'', 'system("CANARY");1'),
    warned("perl require", 'echo "${inputs.v}" > c.pl; perl -e \'require "./c.pl"\'', 'system("CANARY");1'),
    warned("tclsh source", "echo \"${inputs.v}\" > c.tcl; echo 'source c.tcl' | tclsh", "exec CANARY", {
      needs: ["tclsh"],
    }),
    warned("gdb -x", 'echo "${inputs.v}" > c.gdb; gdb -nx -batch -x c.gdb', "shell CANARY", { needs: ["gdb"] }),
    warned("gdb --command=", 'echo "${inputs.v}" > c.gdb; gdb -nx -batch --command=c.gdb', "shell CANARY", {
      needs: ["gdb"],
    }),
    warned("vim -S", 'echo "${inputs.v}" > c.vim; vim -es -u NONE -S c.vim -c q </dev/null', 'call system("CANARY")', {
      needs: ["vim"],
    }),
    warned("vim -u", 'echo "${inputs.v}" > c.vim; vim -es -u c.vim -c q </dev/null', 'call system("CANARY")', {
      needs: ["vim"],
    }),
    warned(
      "vim source",
      "echo \"${inputs.v}\" > c.vim; vim -es -u NONE -c 'source c.vim' -c q </dev/null",
      'call system("CANARY")',
      { needs: ["vim"] },
    ),
    warned("sqlite3 .read", "echo \"${inputs.v}\" > c.sql; sqlite3 x.db '.read c.sql'", ".shell CANARY", {
      needs: ["sqlite3"],
    }),
    warned("sqlite3 -init", "echo \"${inputs.v}\" > c.sql; sqlite3 -init c.sql x.db ''", ".shell CANARY", {
      needs: ["sqlite3"],
    }),
    warned("awk -fc.awk", 'echo "${inputs.v}" > c.awk; awk -fc.awk', 'BEGIN{system("CANARY")}'),
    warned("sed -nf", 'echo "${inputs.v}" > c.sed; echo x | sed -nf c.sed', "1e CANARY"),
    warned("sed --file=", 'echo "${inputs.v}" > c.sed; echo x | sed --file=c.sed', "1e CANARY"),
    warned("sed -fc.sed", 'echo "${inputs.v}" > c.sed; echo x | sed -fc.sed', "1e CANARY"),
    warned(
      "make -fbuild.mk",
      "printf 'X := %s\\nall:;@true\\n' \"${inputs.v}\" > build.mk; make -fbuild.mk",
      "$(shell CANARY)",
    ),
    warned(
      "make --file=",
      "printf 'X := %s\\nall:;@true\\n' \"${inputs.v}\" > build.mk; make --file=build.mk",
      "$(shell CANARY)",
    ),
    warned(
      "make -sf",
      "printf 'X := %s\\nall:;@true\\n' \"${inputs.v}\" > build.mk; make -sf build.mk",
      "$(shell CANARY)",
    ),
    warned(
      "make include fixed Makefile",
      "printf 'include v.mk\\nall:;@true\\n' > Makefile; echo \"X := ${inputs.v}\" > v.mk; make",
      "$(shell CANARY)",
    ),
    warned("make -include of repo config.mk", 'echo "VERSION := ${inputs.v}" > config.mk; make', "$(shell CANARY)", {
      setup: "printf -- '-include config.mk\\nall:;@true\\n' > Makefile",
    }),
    warned("cmake -P file", 'echo "${inputs.v}" > c.cmake; cmake -P c.cmake', "execute_process(COMMAND CANARY)", {
      needs: ["cmake"],
    }),
    warned(
      "cmake . CMakeLists",
      "printf 'cmake_minimum_required(VERSION 3.5)\\nproject(x NONE)\\n%s\\n' \"${inputs.v}\" > CMakeLists.txt; cmake -B b . >/dev/null",
      "execute_process(COMMAND CANARY)",
      { needs: ["cmake"] },
    ),
    warned(
      "ninja build.ninja",
      "printf 'rule r\\n command = %s\\nbuild x: r\\n' \"${inputs.v}\" > build.ninja; ninja",
      "CANARY",
      { needs: ["ninja"] },
    ),
    unseen(
      "gcc a.c && ./a.out",
      "printf '#include <stdlib.h>\\nint main(){%s}\\n' \"${inputs.v}\" > a.c; gcc a.c; ./a.out",
      'system("CANARY");',
      { needs: ["gcc"] },
    ),
    unseen(
      "gcc -D string into code",
      'printf \'#include <stdlib.h>\\n#include "v.h"\\nint main(){ char*s=VERSION; return !s; }\\n\' > a.c; echo "#define VERSION (\\"${inputs.v}\\")" > v.h; gcc -w a.c -o app && ./app',
      'x");system("CANARY");("',
      { needs: ["gcc"] },
    ),
    warned(
      "java A.java",
      "printf 'class A{public static void main(String[] x){%s}}' \"${inputs.v}\" > A.java; java A.java",
      'try{Runtime.getRuntime().exec("CANARY").waitFor();}catch(Exception e){}',
      { needs: ["java"] },
    ),
    warned("ssh -F cfg ProxyCommand", 'echo "ProxyCommand ${inputs.v}" > cfg; ssh -F cfg h.invalid true', "CANARY", {
      needs: ["ssh"],
    }),
    warned(
      "~/.ssh/config HostName injection",
      "mkdir -p ~/.ssh; printf 'Host deploy\\n HostName %s\\n' \"${inputs.v}\" > cfg; ssh -F cfg deploy true",
      "x\nProxyCommand CANARY",
      { needs: ["ssh"] },
    ),
    warned(
      "git config file by GIT_CONFIG_GLOBAL",
      'printf \'[alias]\\n go = "%s"\\n\' "${inputs.v}" > cfg; GIT_CONFIG_GLOBAL=$PWD/cfg git go',
      "!CANARY",
    ),
    warned(
      "git -c include.path",
      'printf \'[alias]\\n go = "%s"\\n\' "${inputs.v}" > cfg; git -c include.path="$PWD/cfg" go',
      "!CANARY",
    ),
    warned(".git/config append", 'printf \'[alias]\\n go = "%s"\\n\' "${inputs.v}" >> .git/config; git go', "!CANARY", {
      setup: "git init -q .",
    }),
    warned("~/.gitconfig", 'printf \'[alias]\\n go = "%s"\\n\' "${inputs.v}" > ~/.gitconfig; git go', "!CANARY"),
    warned(
      "hook by core.hooksPath",
      "git config core.hooksPath hooks; printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > hooks/pre-commit; chmod +x hooks/pre-commit; git commit -q --allow-empty -m x",
      "CANARY",
      { setup: "git init -q . && git config user.email a@b && git config user.name a && mkdir hooks" },
    ),
    warned(
      "hook cherry-pick/revert",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > .git/hooks/prepare-commit-msg; chmod +x .git/hooks/*; git revert --no-edit HEAD",
      "CANARY",
      {
        setup:
          "git init -q . && git config user.email a@b && git config user.name a && echo x > f && git add f && git commit -qm x && echo y > f && git commit -qam y",
      },
    ),
    warned(
      "hook git add post-index-change",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change; echo > f; git add f",
      "CANARY",
      { setup: "git init -q ." },
    ),
    warned(
      "hook git tag reference-transaction",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > .git/hooks/reference-transaction; chmod +x .git/hooks/reference-transaction; git tag v1",
      "CANARY",
      {
        setup:
          "git init -q . && git config user.email a@b && git config user.name a && git commit -q --allow-empty -m x",
      },
    ),
    warned(
      "hook git stash/reset",
      "printf '#!/bin/sh\\n%s\\n' \"${inputs.v}\" > .git/hooks/post-index-change; chmod +x .git/hooks/post-index-change; git reset -q --hard",
      "CANARY",
      {
        setup:
          "git init -q . && git config user.email a@b && git config user.name a && echo > f && git add f && git commit -q -m x",
      },
    ),
    warned(
      ".bash_profile, bash --login",
      'echo "export T=${inputs.v}" > ~/.bash_profile; bash --login -c true',
      ";CANARY;",
    ),
    harmless(
      "a file that is tested and removed",
      'echo "${inputs.v}" > a.txt; [ -f a.txt ] && grep -f a.txt list; rm -f a.txt',
    ),
    harmless(
      "data that python reads",
      'echo "${inputs.v}" > data.json; python3 -c \'import json; print(json.load(open("data.json")))\'',
    ),
    harmless(
      "data that node requires",
      'printf \'{"v":"%s"}\' "${inputs.v}" > v.json; node -e \'console.log(require("./v.json"))\'',
    ),
    harmless("a version beside make", 'echo "${inputs.v}" > VERSION; make build'),
    harmless("settings for docker compose", 'echo "TAG=${inputs.v}" > .env; docker compose config'),
    harmless("a message for git", 'echo "${inputs.v}" > msg.txt; git commit -F msg.txt'),
    harmless("an editor that is fixed", 'echo "${inputs.v}" > msg.txt; GIT_EDITOR=true git commit --amend'),
    harmless(
      "options of node",
      'echo "${inputs.v}" > in.txt; NODE_OPTIONS=--max-old-space-size=4096 node build.js in.txt',
    ),
    harmless("a list for sed and awk", "echo \"${inputs.v}\" > in.txt; sed -n 1p in.txt; awk '{ print $1 }' in.txt"),
    harmless("a file beside bash -lc", "echo \"${inputs.v}\" > v.txt; bash -lc 'cat v.txt'"),
    harmless("data read by perl", "echo \"${inputs.v}\" > v.txt; perl -ne 'print' < v.txt"),
    harmless(
      "a script in a variable with the value as data",
      'echo "${inputs.v}" > v.txt; c="bash build.sh"; $c v.txt',
    ),
    harmless(
      "a text with the word import",
      'echo "${inputs.v}" > notes.txt; python3 -c \'import sys; print("import notes", len(sys.argv))\' notes.txt',
    ),
  ],
};
