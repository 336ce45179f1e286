/** What the page for writing begins with: two blocks side by side, one after both, an input and an output. */
export const firstWorkflow = `name: first-steps
description: Greets somebody, counts the files here, and says both.
inputs:
  name:
    type: string
    default: World
    description: Who is greeted
blocks:
  - id: greet
    type: Shell
    inputs:
      command: echo "Hello, \${inputs.name}!"
  - id: count
    type: Shell
    inputs:
      command: ls | wc -l
  - id: say
    type: Shell
    depends_on: [greet, count]
    inputs:
      command: echo "\${blocks.greet.outputs.stdout} There are \${blocks.count.outputs.stdout} files here."
outputs:
  said: \${blocks.say.outputs.stdout}
`;
