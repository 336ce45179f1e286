import type { AttackGroup } from "./attack.ts";
import { harmless, refused, unseen, warned } from "./short-attacks.ts";

export const filesWrittenOtherwise: AttackGroup = {
  kind: "files written in another way, then run",
  attacks: [
    warned("brace cp a.txt{,.sh}", 'echo "${inputs.v}" > a.txt; cp a.txt{,.sh}; . ./a.txt.sh'),
    warned("brace mv a.{txt,sh}", 'echo "${inputs.v}" > a.txt; mv a.{txt,sh}; . ./a.sh'),
    warned("brace tee {a,b}.sh", 'echo "${inputs.v}" | tee {a,b}.sh >/dev/null; . ./a.sh'),
    warned("install /dev/stdin", 'install -m755 /dev/stdin s.sh <<< "${inputs.v}"; bash s.sh'),
    warned("cp /dev/stdin", 'cp /dev/stdin s.sh <<< "${inputs.v}"; . ./s.sh'),
    warned("sort -o file", 'echo "${inputs.v}" | sort -o s.sh; . ./s.sh'),
    warned("sort in -o out", 'echo "${inputs.v}" > a.txt; sort a.txt -o s.sh; . ./s.sh'),
    warned("uniq in out", 'echo "${inputs.v}" > a.txt; uniq a.txt s.sh; . ./s.sh'),
    warned("uniq - out", 'echo "${inputs.v}" | uniq - s.sh; . ./s.sh'),
    warned("awk print > file", 'echo "${inputs.v}" | awk \'{ print > "s.sh" }\'; . ./s.sh'),
    warned("split prefix", 'echo "${inputs.v}" | split - part.; . ./part.aa'),
    warned("split file prefix", 'echo "${inputs.v}" > a.txt; split a.txt x; . ./xaa'),
    unseen("csplit", 'echo "${inputs.v}" > a.txt; csplit -s a.txt 1; . ./xx01'),
    warned(
      "python open().write",
      'python3 -c \'import sys; open("s.sh", "w").write(sys.argv[1])\' "${inputs.v}"; . ./s.sh',
    ),
    warned(
      "python here-doc writes env",
      'export N="${inputs.v}"\npython3 - <<\'EOF\'\nimport os\nopen("s.sh", "w").write(os.environ["N"])\nEOF\n. ./s.sh',
    ),
    unseen("gzip and zcat into bash", 'echo "${inputs.v}" > a.sh; gzip a.sh; zcat a.sh.gz | bash'),
    unseen("gzip -c and gunzip", 'echo "${inputs.v}" | gzip > a.gz; gunzip a.gz; . ./a'),
    unseen("gzip other name", 'echo "${inputs.v}" > a.txt; gzip -c a.txt > s.gz; gzip -d s.gz; bash s'),
    warned(
      "openssl -in -out",
      'echo "${inputs.v}" > a.txt; openssl base64 -in a.txt -out b.txt; openssl base64 -d -in b.txt -out s.sh; . ./s.sh',
      "CANARY",
      { needs: ["openssl"] },
    ),
    warned("curl file:// -o", 'echo "${inputs.v}" > a.txt; curl -s "file://$PWD/a.txt" -o s.sh; . ./s.sh', "CANARY", {
      needs: ["curl"],
    }),
    refused("curl file:// pipe", 'echo "${inputs.v}" > a.txt; curl -s "file://$PWD/a.txt" | bash', "CANARY", {
      needs: ["curl"],
    }),
    unseen("tar with transform", 'echo "${inputs.v}" > a.txt; tar -c a.txt | tar -x --transform=s/txt/sh/; . ./a.sh'),
    warned("sed -n -e w", "echo \"${inputs.v}\" | sed -n -e 'ws.sh'; . ./s.sh"),
    warned("history -w", 'set -o history; history -s "${inputs.v}"; history -w h; . ./h'),
    unseen("history -a into HISTFILE", 'HISTFILE=h; set -o history; history -s "${inputs.v}"; history -a; . ./h'),
    warned("name in parts, two texts", 'for n in a b; do echo "${inputs.v}" > "$n.sh"; done; . ./a.sh'),
    refused("name by function output", 'name() { echo a.sh; }; echo "${inputs.v}" > "$(name)"; . "./$(name)"'),
    warned("name by function, run literal", 'name() { echo a.sh; }; echo "${inputs.v}" > "$(name)"; . ./a.sh'),
    warned("name by ${f%.txt}", 'f=a.txt; echo "${inputs.v}" > "${f%.txt}.sh"; . ./a.sh'),
    warned("name by printf -v", 'printf -v f \'%s.sh\' a; echo "${inputs.v}" > "$f"; . ./a.sh'),
    warned("name in tee by variable", 'for f in a.sh; do echo "${inputs.v}" | tee "$f" > /dev/null; done; . ./a.sh'),
    warned("cp target by variable", 'echo "${inputs.v}" > a.txt; for t in s.sh; do cp a.txt "$t"; done; . ./s.sh'),
    warned(
      "mv dir with new name and pattern",
      'mkdir d; echo "${inputs.v}" > d/x.sh; mv d e; for f in e/*; do . "$f"; done',
    ),
    warned("cp -r then pattern", 'mkdir d; echo "${inputs.v}" > d/x; cp -r d e; for f in e/*; do bash "$f"; done'),
    unseen(
      "rename by parameter",
      'echo "${inputs.v}" > a.txt; for f in *.txt; do mv "$f" "${f%.txt}.sh"; done; . ./a.sh',
    ),
    warned(
      "basename in PATH by variable file",
      'mkdir bin; for n in deploy test; do printf \'#!/bin/sh\\n%s\\n\' "${inputs.v}" > "bin/$n"; chmod +x "bin/$n"; done; PATH=$PWD/bin:$PATH deploy',
    ),
    harmless("braces for a backup", 'echo "${inputs.v}" > a.txt; cp a.txt{,.bak}; bash build.sh'),
    harmless("a name without its ending", 'f=notes.md; echo "${inputs.v}" > "${f%.md}.txt"; ./notes.sh'),
    harmless("sorted into a file", 'echo "${inputs.v}" | sort -o names.txt; cat names.txt; ./deploy.sh names.txt'),
    harmless("written by awk", 'echo "${inputs.v}" | awk \'{ print > "out.txt" }\'; cat out.txt'),
    harmless(
      "written by python as data",
      'python3 -c \'import json, sys; open("v.json", "w").write(json.dumps(sys.argv[1]))\' "${inputs.v}"; cat v.json',
    ),
    harmless("a file for each of a loop", 'for n in a b; do echo "${inputs.v}" > "$n.txt"; done; cat a.txt b.txt'),
    harmless(
      "data in a directory beside a script",
      'mkdir -p conf; echo "${inputs.v}" > conf/name; mv conf settings; ./run.sh settings/name',
    ),
  ],
};
