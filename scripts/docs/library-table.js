const about = {
  agents: "for agents, with questions to the model",
  ci: "around releases and deployments",
  examples: "short ones to learn from",
  files: "files and configuration",
  git: "git, safely and as data",
  node: "Node.js projects",
  python: "Python projects",
  tools: "the tools of this machine",
};

/** The built-in workflows by group, from what `frond list --json` says. */
export function libraryTable({ workflows }) {
  const builtIn = workflows.filter(({ source }) => source === "built-in");
  const groups = [...new Set(builtIn.map(({ tags }) => tags[0]))].sort();
  const rows = groups.map((group) => {
    const names = builtIn.filter(({ tags }) => tags[0] === group).map(({ name }) => `\`${name}\``);
    const words = about[group];
    return `| **${group}**${words === undefined ? "" : `: ${words}`} | ${names.join(", ")} |`;
  });
  return ["| | |", "|---|---|", ...rows].join("\n");
}
