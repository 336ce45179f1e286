import type { Snippet } from "./refusals.ts";

/** Further ones: builds, releases and deployments. */
export const moreCiSnippets: readonly Snippet[] = [
  { name: "eslint of changed files", command: "npx eslint --max-warnings 0 ${inputs.dir}" },
  { name: "pytest with a marker", command: 'python -m pytest -m "${inputs.marker}" --junitxml=report.xml' },
  { name: "go test of a package", command: "go test -race -run '${inputs.pattern}' ./${inputs.pkg}/..." },
  { name: "cargo build of a profile", command: 'cargo build --profile ${inputs.profile} --target "${inputs.target}"' },
  {
    name: "docker push with two tags",
    command:
      'docker tag app:build "${inputs.registry}/app:${inputs.tag}"\ndocker push "${inputs.registry}/app:${inputs.tag}"',
  },
  {
    name: "docker compose with a project name",
    command: 'COMPOSE_PROJECT_NAME="ci-${inputs.name}" docker compose up -d --wait',
  },
  {
    name: "docker login by stdin",
    command: 'echo "${inputs.password}" | docker login -u "${inputs.user}" --password-stdin ghcr.io',
  },
  {
    name: "helm upgrade",
    command:
      'helm upgrade --install ${inputs.release} ./chart --namespace "${inputs.ns}" --set image.tag=${inputs.tag} --wait',
  },
  {
    name: "kubectl apply of rendered text",
    command: 'sed "s/IMAGE_TAG/${inputs.tag}/g" k8s/deploy.yaml | kubectl apply -n ${inputs.ns} -f -',
  },
  {
    name: "envsubst",
    command: 'export TAG="${inputs.tag}" ENVIRONMENT="${inputs.env}"\nenvsubst < deploy.tmpl.yaml > deploy.yaml',
  },
  {
    name: "terraform workspace",
    command:
      'terraform workspace select "${inputs.env}" || terraform workspace new "${inputs.env}"\nterraform apply -auto-approve',
  },
  { name: "aws s3 sync", command: 'aws s3 sync dist/ "s3://${inputs.bucket}/${inputs.prefix}/" --delete' },
  {
    name: "gcloud run deploy",
    command:
      'gcloud run deploy ${inputs.service} --image="gcr.io/${inputs.project}/${inputs.service}:${inputs.tag}" --region=${inputs.region} --quiet',
  },
  {
    name: "git tag and push",
    command: 'git tag -a "v${inputs.version}" -m "Release ${inputs.version}"\ngit push origin "v${inputs.version}"',
  },
  {
    name: "git checkout of a branch",
    command: 'git fetch --depth=1 origin "${inputs.branch}"\ngit checkout FETCH_HEAD',
  },
  {
    name: "commit when something changed",
    command: 'git add -A\nif ! git diff --cached --quiet; then\n  git commit -m "chore: update ${inputs.name}"\nfi',
  },
  {
    name: "changed files of a pull request",
    command: "git diff --name-only \"origin/${inputs.base}...HEAD\" | grep -E '\\.ts$' || true",
  },
  { name: "release notes", command: "git log --pretty=format:'- %s (%h)' \"${inputs.from}..${inputs.to}\" > notes.md" },
  {
    name: "gh release",
    command: 'gh release create "v${inputs.version}" dist/*.tgz --title "v${inputs.version}" --notes-file notes.md',
  },
  {
    name: "gh issue comment",
    command: 'gh issue comment ${inputs.number} --body "Deployed to ${inputs.env}: ${inputs.url}"',
  },
  {
    name: "curl with a token and JSON",
    command:
      'curl -fsS -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' -d \'{"ref": "${inputs.branch}"}\' "https://api.example.com/repos/${inputs.repo}/dispatches"',
  },
  {
    name: "JSON payload by jq",
    command:
      'payload=$(jq -n --arg text "${inputs.message}" --arg channel "${inputs.channel}" \'{text: $text, channel: $channel}\')\ncurl -fsS -X POST -d "$payload" "$WEBHOOK"',
  },
  {
    name: "health check loop",
    command:
      'for i in $(seq 1 20); do\n  code=$(curl -s -o /dev/null -w \'%{http_code}\' "${inputs.url}/health")\n  if [ "$code" = 200 ]; then exit 0; fi\n  sleep 3\ndone\nexit 1',
  },
  {
    name: "wait with an attempt counter",
    command:
      'attempt=0\nuntil pg_isready -h "${inputs.host}" -p "${inputs.port}"; do\n  attempt=$((attempt + 1))\n  if [ $attempt -ge 10 ]; then echo "no database"; exit 1; fi\n  sleep 1\ndone',
  },
  {
    name: "version from a tag",
    command: 'tag="${inputs.tag}"\nversion="${tag#v}"\necho "VERSION=$version" >> "$GITHUB_OUTPUT"',
  },
  {
    name: "environment by case",
    command:
      'case "${inputs.env}" in\n  prod) url=https://example.com ;;\n  staging) url=https://staging.example.com ;;\n  *) echo "unknown environment ${inputs.env}" >&2; exit 2 ;;\nesac\ncurl -fsS "$url/health"',
  },
  { name: "required input", command: 'if [ -z "${inputs.version}" ]; then echo "version is required" >&2; exit 1; fi' },
  {
    name: "semver check",
    command:
      'if [[ ! "${inputs.version}" =~ ^[0-9]+\\.[0-9]+\\.[0-9]+$ ]]; then\n  echo "not a version: ${inputs.version}"; exit 1\nfi',
  },
  {
    name: "branch name to slug",
    command: "slug=$(echo \"${inputs.branch}\" | tr '/A-Z' '-a-z' | cut -c1-40)\necho \"slug=$slug\"",
  },
  {
    name: "cache key",
    command: 'key="deps-$(sha256sum package-lock.json | cut -d\' \' -f1)-${inputs.os}"\necho "$key"',
  },
  {
    name: "upload artefacts by loop",
    command: 'for f in dist/*.tgz; do\n  curl -fsS -T "$f" "${inputs.url}/$(basename "$f")"\ndone',
  },
  {
    name: "matrix of services",
    command: 'for svc in ${inputs.services}; do\n  docker build -t "app-$svc:${inputs.tag}" "services/$svc"\ndone',
  },
  {
    name: "coverage threshold by awk",
    command:
      "total=$(go tool cover -func=cover.out | awk '/^total/ {print $3}' | tr -d %)\nawk -v t=\"$total\" -v min=\"${inputs.min}\" 'BEGIN { exit (t < min) }'",
  },
  {
    name: "coverage threshold by bc",
    command:
      'pct=$(jq .total.lines.pct coverage/coverage-summary.json)\nif [ "$(echo "$pct < ${inputs.min}" | bc)" -eq 1 ]; then exit 1; fi',
  },
  {
    name: "size limit",
    command: 'size=$(stat -c %s "${inputs.file}")\nif [ "$size" -gt 500000 ]; then echo "too large"; exit 1; fi',
  },
  {
    name: "npm version and publish",
    command: 'npm version --no-git-tag-version "${inputs.version}"\nnpm publish --tag "${inputs.channel}"',
  },
  { name: "npm workspace script", command: 'npm run build --workspace="packages/${inputs.pkg}" --if-present' },
  { name: "yarn and env", command: "NODE_ENV=${inputs.env} CI=true yarn build" },
  {
    name: "maven with properties",
    command: "mvn -B -DskipTests -Drevision=${inputs.version} -P${inputs.profile} package",
  },
  {
    name: "gradle task",
    command: './gradlew :${inputs.module}:assembleRelease -PversionName="${inputs.version}" --no-daemon',
  },
  {
    name: "ansible playbook",
    command:
      'ansible-playbook -i inventories/${inputs.env} site.yml --limit "${inputs.host}" -e "version=${inputs.version}"',
  },
  {
    name: "scp and ssh restart",
    command:
      'scp dist.tgz "deploy@${inputs.host}:/srv/app/"\nssh "deploy@${inputs.host}" \'cd /srv/app && tar xzf dist.tgz && systemctl restart app\'',
  },
  {
    name: "ssh with a version in the command",
    command: 'ssh deploy@${inputs.host} "cd /srv/app && ./deploy.sh ${inputs.version}"',
  },
  {
    name: "rsync with ssh options",
    command:
      'rsync -avz -e "ssh -o StrictHostKeyChecking=no" build/ "${inputs.user}@${inputs.host}:/var/www/${inputs.site}/"',
  },
  {
    name: "database migration",
    command:
      'PGPASSWORD="${inputs.password}" psql -h "${inputs.host}" -U app -d app -v ON_ERROR_STOP=1 -f migrations/${inputs.file}.sql',
  },
  { name: "psql query", command: 'psql "$DATABASE_URL" -c "DELETE FROM sessions WHERE app = \'${inputs.app}\'"' },
  {
    name: "mysqldump to gzip",
    command: 'mysqldump --single-transaction "${inputs.database}" | gzip > "backup-${inputs.database}.sql.gz"',
  },
  { name: "changelog line by sed", command: 'sed -i "s/^## Unreleased/## ${inputs.version}/" CHANGELOG.md' },
  {
    name: "version in a python file by sed",
    command: "sed -i 's/^__version__ = .*/__version__ = \"${inputs.version}\"/' src/app/__init__.py",
  },
  { name: "yq image", command: "yq -i '.image.tag = \"${inputs.tag}\"' values.yaml" },
  {
    name: "env file for compose",
    command:
      '{\n  echo "APP_ENV=${inputs.env}"\n  echo "APP_VERSION=${inputs.version}"\n} > .env\ndocker compose --env-file .env up -d',
  },
  {
    name: "summary in markdown",
    command:
      'cat >> "$GITHUB_STEP_SUMMARY" <<EOF\n### Deployed ${inputs.app}\n| version | environment |\n|---|---|\n| ${inputs.version} | ${inputs.env} |\nEOF',
  },
  {
    name: "review text to a file",
    command:
      'printf \'%s\\n\' "${blocks.write.response}" > review.md\ngh pr review "${inputs.number}" --comment --body-file review.md',
  },
  {
    name: "files of a previous block",
    command:
      'while IFS= read -r file; do\n  [ -f "$file" ] || continue\n  npx prettier --write "$file"\ndone <<< "${blocks.list.stdout}"',
  },
  {
    name: "count of a previous block",
    command: 'n=$(echo "${blocks.list.stdout}" | wc -l)\necho "$n files"\nif [ "$n" -gt 100 ]; then echo "many"; fi',
  },
  { name: "xargs of a previous block", command: 'echo "${blocks.list.stdout}" | xargs -r npx eslint --fix' },
  { name: "revision in a file name", command: 'tar czf "app-${blocks.rev.stdout}.tgz" dist' },
  {
    name: "retry function with a value",
    command:
      'retry() {\n  local tries=3 i\n  for ((i = 1; i <= tries; i++)); do "$@" && return 0; sleep $((i * 2)); done\n  return 1\n}\nretry npm publish --tag "${inputs.tag}"',
  },
  { name: "parallel jobs", command: "make -j4 build TARGET=${inputs.target} &\nmake lint &\nwait" },
  {
    name: "python argument",
    command: 'python3 scripts/release.py --version "${inputs.version}" --notes "${inputs.notes}"',
  },
  { name: "php artisan", command: "php artisan migrate --force --path=database/migrations/${inputs.module}" },
  {
    name: "strict mode and log file",
    command: 'set -euo pipefail\n./build.sh "${inputs.target}" 2>&1 | tee "build-${inputs.target}.log"',
  },
  {
    name: "until in timeout sh -c",
    command: 'timeout 60 sh -c \'until curl -fsS "$0"; do sleep 1; done\' "${inputs.url}"',
  },
  {
    name: "until in timeout sh -c, pasted",
    command: 'timeout 60 sh -c "until nc -z ${inputs.host} ${inputs.port}; do sleep 1; done"',
  },
  {
    name: "coverage threshold by arithmetic",
    command: "cov=$(jq -r .total.lines.pct coverage/coverage-summary.json)\n(( ${cov%.*} < ${inputs.min} )) && exit 1",
  },
  {
    name: "next major version",
    command: 'version="${inputs.version}"\nmajor="${version%%.*}"\necho "next=$((major + 1)).0.0"',
  },
  {
    name: "too many todos",
    command:
      "todos=$(grep -rc TODO \"${inputs.dir}\" | awk -F: '{s += $2} END {print s}')\nif [[ $todos -gt ${inputs.max} ]]; then exit 1; fi",
  },
  {
    name: "find -exec sh -c with a suffix",
    command: "find dist -name '*.js' -exec sh -c 'cp \"$1\" \"$1.${inputs.tag}\"' _ {} \\;",
  },
  { name: "date in backticks", command: 'echo "Building ${inputs.name} on `date -u +%F`"' },
  { name: "docker exec bash -c", command: 'docker exec app bash -c "cd /srv && php artisan ${inputs.task}"' },
];
