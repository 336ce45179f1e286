import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond } from "../rig/frond.ts";
import { first, init } from "./init-project.ts";

describe("an agent", () => {
  const config = '// servers\n{\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n  }\n}\n';

  const files = {
    "claude-code": ".mcp.json",
    cursor: ".cursor/mcp.json",
    vscode: ".vscode/mcp.json",
    codex: ".codex/config.toml",
    gemini: ".gemini/settings.json",
    opencode: "opencode.json",
  };

  test("is told in its file of the project, as mcp-config says", async () => {
    const frond = createFrond();
    const { made } = await init(frond, "--agent", ...Object.keys(files));
    expect(made.slice(-6)).toEqual(Object.values(files));
    for (const [client, file] of Object.entries(files)) {
      expect(frond.read(file)).toBe((await frond.run(["mcp-config", client])).stdout);
    }
  });

  test("keeps everything else in its file, comments too", async () => {
    const frond = createFrond({ ".cursor/mcp.json": config, ".codex/config.toml": 'model = "x" # mine\n' });
    expect(await init(frond, "--agent", "cursor", "codex")).toMatchObject({
      changed: [".cursor/mcp.json", ".codex/config.toml"],
    });
    const lines = frond.read(".cursor/mcp.json").split("\n");
    expect(lines.slice(0, 4)).toEqual([
      "// servers",
      "{",
      '  "mcpServers": {',
      '    "other": { "command": "x" }, // mine',
    ]);
    expect(lines[4]).toBe('    "frond": {');
    const { stdout } = await frond.run(["mcp-config", "codex"]);
    expect(frond.read(".codex/config.toml")).toBe(`model = "x" # mine\n\n${stdout}`);
  });

  test("an entry that starts another Frond stays, unless a person says otherwise", async () => {
    const other = '{ "mcpServers": { "frond": { "command": "other" } } }\n';
    const frond = createFrond({ ".mcp.json": other });
    const kept = await frond.run(["init", "--agent", "claude-code", "--yes"]);
    expect([kept.code, frond.read(".mcp.json")]).toEqual([0, other]);
    expect(kept.stdout).toContain(".mcp.json starts another Frond, and still does.");
    const refused = frond.startInTerminal(["init", "--agent", "claude-code"]);
    await refused.until("Replace that with this one?");
    refused.type("n");
    await refused.ended;
    expect(frond.read(".mcp.json")).toBe(other);
    const agreed = frond.startInTerminal(["init", "--agent", "claude-code"]);
    await agreed.until("Replace that with this one?");
    agreed.type("y");
    expect((await agreed.ended).code).toBe(0);
    expect(JSON.parse(frond.read(".mcp.json")).mcpServers.frond.args).toContain("serve");
  });

  test("a file that can't be read is left as it is, with what to do", async () => {
    const frond = createFrond({ ".mcp.json": "{ nonsense\n" });
    const { code, stderr, stdout } = await frond.run(["init", "--agent", "claude-code"]);
    expect([code, frond.read(".mcp.json")]).toEqual([1, "{ nonsense\n"]);
    expect(stderr).toContain(".mcp.json is left as it is: line 1 is not valid JSON.");
    expect(stderr).toContain("Put in there what `frond mcp-config claude-code` prints.");
    expect(stdout).toContain(first);
  });

  test("is asked for in a terminal, with the one that the project uses first; none is an answer", async () => {
    const frond = createFrond({ ".cursor/rules": "" });
    const asked = frond.startInTerminal(["init"]);
    await asked.until("Which agent");
    asked.type("\r");
    expect((await asked.ended).code).toBe(0);
    expect(existsSync(join(frond.directory, ".cursor/mcp.json"))).toBe(true);
    const other = createFrond();
    const none = other.startInTerminal(["init"]);
    await none.until("Which agent");
    none.type("\r");
    expect((await none.ended).code).toBe(0);
    expect(existsSync(join(other.directory, first))).toBe(true);
    expect(existsSync(join(other.directory, ".mcp.json"))).toBe(false);
  });

  test("Ctrl-C at the question makes nothing, and --yes asks none", async () => {
    const frond = createFrond();
    const asked = frond.startInTerminal(["init"]);
    await asked.until("Which agent");
    asked.type("\x03");
    expect((await asked.ended).code).toBe(130);
    expect(readTree(frond.directory)).toEqual(readTree(createFrond().directory));
    const silent = await frond.startInTerminal(["init", "--yes"]).ended;
    expect([silent.code, silent.stdout.includes("Which agent")]).toEqual([0, false]);
  });
});
