import { createFrond, type Frond, shell, workflow } from "./frond.ts";

export const canary: string = "kanari/+?&=3f9a7c55";
export const canaryEnv: Readonly<Record<string, string>> = { FROND_SECRET_CANARY: canary };
export const canaryReference: string = "${secrets.CANARY}";

const sayings = {
  raw: 'echo "$T"; echo "$T" >&2',
  base64: 'for p in "" x xx; do printf %s%s "$p" "$T" | base64; done',
  url: `node -e 'console.log(encodeURIComponent(process.env.T), encodeURIComponent(process.env.T).toLowerCase())'`,
  bytes: 'for i in $(seq 0 ${#T}); do printf %s "${T:$i:1}"; done',
  exit: 'echo "fatal: $T" >&2; exit 7',
  file: 'printf %s "$T" > made.txt; printf \'{"a": "%s"}\' "$T" > made.json',
};

/** A workflow, `flow`, that leads a secret through every kind of block that can have one, and then asks. */
export function createCanaryFrond(url: string): Frond {
  const said = Object.entries(sayings).map(([id, command]) => ({
    id,
    type: "Shell",
    inputs: { command, env: { T: canaryReference } },
    ...(id === "file" ? { outputs: { text: { path: "made.txt" }, json: { type: "json", path: "made.json" } } } : {}),
  }));
  const frond = createFrond({
    "flow.yaml": workflow(
      "flow",
      [
        ...said,
        shell(
          "in_command",
          `printf '%s\\n' "${canaryReference}"; mkdir -p seen; printf %s "${canaryReference}" > seen/command`,
        ),
        {
          id: "in_stdin",
          type: "Shell",
          inputs: { command: "tee seen/stdin", stdin: canaryReference },
          depends_on: ["in_command"],
        },
        { id: "in_args", type: "Shell", inputs: { args: ["printf", "%s", canaryReference] } },
        { id: "nested", type: "ExecuteWorkflow", inputs: { workflow: "inner", inputs: { token: canaryReference } } },
        {
          id: "request",
          type: "HttpCall",
          inputs: {
            url,
            method: "POST",
            allow_private: true,
            headers: { "x-key": canaryReference },
            json: { key: canaryReference },
          },
        },
        {
          id: "model",
          type: "LLMCall",
          inputs: { model: "anthropic/m", prompt: "Hi", api_key: canaryReference, base_url: url, allow_private: true },
          depends_on: ["request"],
          allow_failure: true,
        },
        { id: "read", type: "ReadFile", inputs: { path: "made.txt" }, depends_on: ["file"] },
        { id: "write", type: "CreateFile", inputs: { path: "made.txt", content: "x" }, depends_on: ["read"] },
        {
          id: "render",
          type: "RenderTemplate",
          inputs: { template: "{{ it }}", variables: { it: "${blocks.raw.stdout}" } },
        },
        { id: "ask", type: "Prompt", inputs: { prompt: "Is it ${blocks.raw.stdout}?" }, depends_on: ["raw"] },
      ],
      { outputs: { all: "${blocks.raw.stdout}", nested: "${blocks.nested.said}", request: "${blocks.request.body}" } },
    ),
  });
  frond.write(
    "../home/.frond/workflows/inner.yaml",
    workflow("inner", [{ id: "say", type: "Shell", inputs: { command: 'echo "$T"', env: { T: "${inputs.token}" } } }], {
      inputs: { token: { type: "string", description: "A token", secret: true } },
      outputs: { said: "${blocks.say.stdout}" },
    }),
  );
  return frond;
}
