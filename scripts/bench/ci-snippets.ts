import type { Snippet } from "./refusals.ts";

/** Commands as people write them in CI, with values where they put them. */
export const ciSnippets: readonly Snippet[] = [
  { name: "npm test with grep", command: 'npm ci\nnpm test -- --grep "${inputs.v}"' },
  {
    name: "docker build with a build argument",
    command: 'docker build -t "${inputs.image}:${inputs.tag}" --build-arg VERSION=${inputs.tag} .',
  },
  { name: "docker run sh -c", command: 'docker run --rm -v "$PWD:/src" alpine sh -c "cd /src && ls ${inputs.dir}"' },
  {
    name: "git config of a user",
    command: 'git config user.name "${inputs.name}"\ngit config user.email "${inputs.email}"',
  },
  {
    name: "jq --arg",
    command: "jq --arg v \"${inputs.version}\" '.version = $v' package.json > tmp.json && mv tmp.json package.json",
  },
  { name: "jq program with a name", command: 'jq ".dependencies.${inputs.name}" package.json' },
  { name: "trap of a directory", command: 'dir="build-${inputs.name}"\nmkdir -p "$dir"\ntrap "rm -rf $dir" EXIT' },
  {
    name: "retry until curl",
    command:
      'n=0\nmax="${inputs.retries}"\nuntil curl -fsS "${inputs.url}"; do\n  n=$((n+1))\n  [ "$n" -ge "$max" ] && exit 1\n  sleep 2\ndone',
  },
  {
    name: "retry function",
    command:
      'retry() { local n=$1; shift; for _ in $(seq "$n"); do "$@" && return 0; sleep 1; done; return 1; }\nretry 3 curl -fsS "${inputs.url}"',
  },
  {
    name: "version by IFS and read",
    command: 'IFS=. read -r major minor patch <<< "${inputs.version}"\necho "$major.$minor.$((patch + 1))"',
  },
  {
    name: "errors counted by grep",
    command: 'count=$(grep -c ERROR "${inputs.log}")\nif [[ $count -gt 0 ]]; then exit 1; fi',
  },
  {
    name: "prettier over a pipe",
    command: 'echo "${blocks.list.stdout}" | while read -r f; do\n  [ -n "$f" ] && npx prettier --check "$f"\ndone',
  },
  {
    name: "xargs sh -c",
    command: 'echo "${blocks.list.stdout}" | xargs -I{} sh -c \'echo "checking {}"; python -m py_compile "{}"\'',
  },
  {
    name: "python here-document",
    command: 'python3 - <<EOF\nimport json\nprint(json.dumps({"name": "${inputs.name}"}))\nEOF',
  },
  { name: "node -p of a version", command: "node -p \"require('./${inputs.pkg}/package.json').version\"" },
  {
    name: "ssh here-document",
    command: "ssh deploy@${inputs.host} <<EOF\ncd /srv/app\ngit checkout ${inputs.version}\nEOF",
  },
  { name: "rsync to a host", command: 'rsync -az --delete dist/ "deploy@${inputs.host}:/srv/${inputs.app}/"' },
  {
    name: "kubectl set image",
    command:
      "kubectl set image deployment/${inputs.app} ${inputs.app}=${inputs.image}:${inputs.tag} -n ${inputs.ns}\nkubectl rollout status deployment/${inputs.app} -n ${inputs.ns} --timeout=120s",
  },
  {
    name: "kubectl exec sh -c",
    command: 'kubectl exec deploy/${inputs.app} -- sh -c "python manage.py migrate ${inputs.args}"',
  },
  { name: "terraform plan", command: 'terraform plan -var="region=${inputs.region}" -out=plan.out' },
  { name: "gh pr create", command: 'gh pr create --title "${inputs.title}" --body "${blocks.write.response}"' },
  {
    name: "curl of JSON in quotes",
    command:
      'curl -sS -X POST -H "Content-Type: application/json" -d "{\\"text\\": \\"${inputs.message}\\"}" "$SLACK_WEBHOOK"',
  },
  {
    name: "env file sourced",
    command:
      "cat > .env <<EOF\nDATABASE_URL=${inputs.url}\nDEBUG=false\nEOF\nset -a; . ./.env; set +a\nnpm run migrate",
  },
  { name: "make with a target", command: 'make -j"$(nproc)" ${inputs.target} VERSION="${inputs.version}"' },
  {
    name: "venv and pip",
    command: 'python3 -m venv .venv\n. .venv/bin/activate\npip install -r "${inputs.requirements}"',
  },
  { name: "find and rm", command: 'find "${inputs.dir}" -name "*.log" -mtime +${inputs.days} -exec rm -f {} \\;' },
  { name: "awk program with a value", command: "awk -F, '$1 == \"${inputs.name}\" { print $2 }' data.csv" },
  { name: "grep -q", command: 'if grep -q "${inputs.pattern}" README.md; then echo found; fi' },
  {
    name: "nc in a loop",
    command: "for i in $(seq 1 30); do nc -z ${inputs.host} ${inputs.port} && break; sleep 1; done",
  },
  {
    name: "seconds of a build",
    command: 'start=$(date +%s)\nnpm run build -- --env ${inputs.env}\necho "took $(( $(date +%s) - start ))s"',
  },
  {
    name: "associative array by a value",
    command: 'declare -A urls=([prod]=https://a [staging]=https://b)\ncurl -fsS "${urls[${inputs.env}]}"',
  },
  { name: "array by an index", command: 'names=(a b c)\necho "${names[${inputs.index}]}"' },
  { name: "case and prefix of a name", command: 'name="${inputs.name}"\necho "${name^^}" "${name//-/_}" "${name#v}"' },
  { name: "short hash", command: 'sha="${blocks.rev.stdout}"\necho "${sha:0:7}"' },
  { name: "printf format with values", command: 'printf "Deploying ${inputs.app} to ${inputs.env}\\n"' },
  { name: "library sourced", command: 'source ./scripts/lib.sh\ndeploy "${inputs.env}"' },
  { name: "sudo tee", command: 'echo "${inputs.config}" | sudo tee /etc/app.conf > /dev/null' },
  {
    name: "mapfile of files",
    command:
      'mapfile -t files <<< "${blocks.list.stdout}"\nfor f in "${files[@]}"; do wc -l "$f"; done\necho "${#files[@]} files"',
  },
  { name: "sha256sum -c", command: 'echo "${inputs.sha256}  archive.tgz" | sha256sum -c -' },
  { name: "gpg by stdin", command: 'echo "${inputs.pass}" | gpg --batch --passphrase-fd 0 -d file.gpg' },
];
