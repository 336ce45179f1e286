/** What the inputs of the snippets would be declared as, by their names; one that is not here is any text. */
const word = { type: "string", pattern: "[A-Za-z0-9_][A-Za-z0-9_.-]*" };
const path = { type: "string", pattern: "[A-Za-z0-9_.][A-Za-z0-9_./-]*" };
const count = { type: "integer", minimum: 0 };
const environment = { type: "string", enum: ["staging", "prod"] };

export const declaredInputs: Readonly<Record<string, object>> = {
  ...{
    version: { type: "string", pattern: "[0-9]+(\\.[0-9]+)*" },
    tag: word,
    env: environment,
    host: word,
    name: word,
  },
  ...{ app: word, target: word, ns: word, dir: path, port: count, pkg: path, min: count, branch: path, user: word },
  ...{
    service: word,
    registry: path,
    region: word,
    profile: word,
    number: count,
    module: word,
    image: path,
    file: path,
  },
  ...{
    database: word,
    channel: word,
    to: word,
    task: word,
    site: word,
    sha256: { type: "string", pattern: "[0-9a-f]{64}" },
  },
  ...{
    retries: count,
    requirements: path,
    repo: path,
    release: word,
    project: word,
    prefix: word,
    os: word,
    max: count,
  },
  ...{ log: path, index: count, from: word, days: count, bucket: word, base: path, args: word, marker: word },
};
