import { delimiter } from "node:path";
import { err, ok, type Result } from "../util/result.ts";
import { type Mismatch, placeIn } from "./compare.ts";
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
): Promise<Result<Record<string, string>, Mismatch>> {
  const writes: readonly Readonly<Parameters<Ground["write"]>>[] = [
    [ground.home, ".gitconfig", gitConfiguration],
    ...[...workflows].map(([name, text]) => [ground.workflows, `${name}.yaml`, text] as const),
    ...[...commands].map(
      ([name, fake]) => [ground.programs, name, writeFake(fake, bash, `${ground.calls}/${name}`), 0o755] as const,
    ),
    ...[...files].map(([path, { content, mode }]) => [ground.workspace, path, content, mode] as const),
  ];
  for (const write of writes) {
    const problem = await ground.write(...write);
    if (problem !== undefined) return err({ at: placeIn("files", write[1]), message: problem });
  }
  return ok({
    PATH: [ground.programs, await bench.pathWithout(without)].join(delimiter),
    HOME: ground.home,
    TMPDIR: ground.temporary,
    LANG: "C.UTF-8",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    // Whatever lies around the workspace is no repository that it belongs to.
    GIT_CEILING_DIRECTORIES: ground.root,
    ...env,
  });
}
