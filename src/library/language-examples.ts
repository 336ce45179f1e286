/** Shown to models as they are, so that each is checked and run by a test. */
export const exampleWorkflows: readonly string[] = [
  `name: check-project
description: Two checks at the same time, and a summary that is written whatever they say
blocks:
  - { id: files, type: Shell, inputs: { command: "find . -type f | wc -l" } }
  - { id: todo, type: Shell, inputs: { command: grep -rn TODO . }, allow_failure: true }
  - id: write
    type: CreateFile
    depends_on: [files, { block: todo, required: false }]
    inputs:
      path: summary.md
      content: |
        Files: \${trim(blocks.files.stdout)}
        TODO: \${'none' if blocks.todo.failed else blocks.todo.stdout}
outputs:
  files: { value: "\${trim(blocks.files.stdout)}", type: integer }
  has_todo: \${blocks.todo.succeeded}
`,
  `name: test-packages
description: Builds and tests each package, and names those that failed
inputs:
  packages: { type: array, description: Names, items: { type: string }, default: [leaf, stem] }
blocks:
  - id: each_package
    for_each: \${inputs.packages}
    max_parallel: 2
    blocks:
      - { id: build, type: Shell, inputs: { command: 'printf "built %s" "\${each.value}"' }, retry: 2 }
      - { id: test, type: Shell, inputs: { command: 'test "\${each.value}" != stem' }, depends_on: [build], allow_failure: true }
    outputs: { name: "\${each.value}", built: "\${blocks.build.stdout}", passed: "\${blocks.test.succeeded}" }
outputs:
  built: \${pluck(blocks.each_package.results, 'built')}
  failed: \${pluck(where(blocks.each_package.results, 'passed', false), 'name')}
`,
  `name: release-with-approval
description: Asks before it publishes, falls back when the server is away, and cleans up
blocks:
  - id: ask
    type: Prompt
    inputs: { prompt: Publish now?, choices: ["yes", "no"] } # audience: human: only a person may decide
  - id: publish
    type: Shell
    inputs: { command: test -e server-is-up && echo published }
    condition: \${blocks.ask.response} == 'yes'
    depends_on: [ask]
    timeout: 2m
  - { id: queue, type: Shell, inputs: { command: echo queued }, condition: "\${blocks.publish.failed}", depends_on: [publish] }
finally:
  - { id: clean, type: Shell, inputs: { command: rm -f upload.tmp } }
outputs:
  said: \${trim(blocks.queue.stdout if blocks.publish.failed else blocks.publish.stdout)}
`,
];
