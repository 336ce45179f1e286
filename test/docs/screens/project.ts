/** The project of the stories: a shop that is checked, built and put on servers. Its commands are `npm`, which the stage brings along. */
export const projectFiles: Readonly<Record<string, string>> = {
  ".frond/workflows/ship.yaml": `name: ship
description: Checks and builds the shop, asks a person, and puts it on the servers
tags: [release]
inputs:
  version: { type: string, description: What is shipped, default: 2.4.0 }
  target: { type: string, description: Where it goes, enum: [staging, production], default: staging }
blocks:
  - { id: install, type: Shell, inputs: { command: npm ci } }
  - { id: lint, type: Shell, inputs: { command: npm run lint }, depends_on: [install] }
  - { id: test, type: Shell, inputs: { command: npm test }, depends_on: [install] }
  - id: build
    description: Builds every package
    for_each: [api, web, worker]
    type: Shell
    inputs: { command: 'npm run build \${each.value}' }
    depends_on: [install]
  - id: approve
    type: Prompt
    inputs:
      prompt: |
        Version \${inputs.version} is ready for \${inputs.target}.
        Ship it?
      audience: human
      choices: ["yes", "no"]
    depends_on: [lint]
  - id: deploy
    description: Puts it on the servers
    condition: \${blocks.approve.response} == 'yes'
    depends_on: [approve, test, build]
    blocks:
      - { id: upload, type: Shell, inputs: { command: npm run upload }, on_interrupted: ask }
      - { id: migrate, type: Shell, inputs: { command: npm run migrate }, on_interrupted: ask }
      - { id: invalidate, type: Shell, inputs: { command: npm run invalidate }, on_interrupted: ask }
finally:
  - { id: tidy, type: Shell, inputs: { command: npm run tidy } }
outputs:
  version: \${inputs.version}
  deployed: \${blocks.deploy.succeeded}
`,
  ".frond/workflows/plan-sale.yaml": `name: plan-sale
description: Asks for the details of a sale and writes them down
tags: [shop]
blocks:
  - id: details
    type: Prompt
    inputs:
      prompt: What is on sale?
      audience: human
      schema:
        type: object
        required: [product, percent]
        properties:
          product: { type: string, description: Its name in the shop, minLength: 1 }
          percent: { type: integer, description: How much less it costs, minimum: 1, maximum: 90 }
          season: { type: string, enum: [spring, summer, autumn, winter] }
          announce: { type: boolean, description: Tell all customers, default: false }
  - id: write
    type: WriteJSONState
    inputs: { path: sale.json, data: '\${blocks.details.response}' }
    depends_on: [details]
`,
  // Another project, in which nobody has used Frond yet.
  "release.yaml": `name: release
description: Writes the notes of a version, builds it and publishes it
blocks:
  - id: notes
    type: EditFile
    inputs: { path: CHANGELOG.md, operations: [{ type: replace_text, old_text: Unreleased, new_text: 2.4.0 }] }
  - { id: version, type: CreateFile, inputs: { path: VERSION, content: "2.4.0\\n" } }
  - { id: build, type: CreateFile, inputs: { path: dist/shop.js, content: "open()\\n" } }
  - id: publish
    type: Shell
    inputs: { command: npm publish }
    undo: { type: Shell, inputs: { command: npm run withdraw } }
    depends_on: [notes, version, build]
  - { id: check, type: Shell, inputs: { command: npm run check }, depends_on: [publish] }
`,
  "safe-release.yaml": `name: safe-release
description: Writes the version and tests it, or leaves everything as it was
on_failure: rollback
blocks:
  - { id: version, type: CreateFile, inputs: { path: VERSION, content: "2.4.0\\n" } }
  - { id: test, type: Shell, inputs: { command: npm test }, depends_on: [version] }
`,
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n- Roses\n",
  VERSION: "2.3.0\n",
  "blog/package.json": '{ "scripts": { "lint": "eslint .", "test": "vitest run", "build": "astro build" } }',
};
