import { delimiter } from "node:path";
import type { Ground, TestBench } from "./test-bench.ts";
import type { TestCase } from "./test-file.ts";
import { writeFake } from "./write-fake.ts";

const gitConfiguration = "[user]\n\tname = Frond Test\n\temail = test@example.com\n";

/** Makes everything that a case has before it begins; gives the environment it runs in, in which nothing is the user's own. */
export async function layOutCase(
  { files, env, commands, without, workflows }: TestCase,
  ground: Ground,
  bench: TestBench,
  bash: string,
): Promise<Record<string, string>> {
  await ground.write(ground.home, ".gitconfig", gitConfiguration);
  for (const [path, { content, mode }] of files) await ground.write(ground.workspace, path, content, mode);
  for (const [name, text] of workflows) await ground.write(ground.workflows, `${name}.yaml`, text);
  for (const [name, fake] of commands) {
    await ground.write(ground.programs, name, writeFake(fake, bash, `${ground.calls}/${name}`), 0o755);
  }
  return {
    PATH: [ground.programs, await bench.pathWithout(without)].join(delimiter),
    HOME: ground.home,
    TMPDIR: ground.temporary,
    LANG: "C.UTF-8",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    ...env,
  };
}
