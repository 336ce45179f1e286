import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { problem } from "../../diagnostic/problem.ts";
import { projectOf } from "../../library/project-trust.ts";
import { looksLikeFile } from "../../library/workflows.ts";
import type { CaseResult } from "../../testing/case-result.ts";
import { countCases } from "../../testing/describe-tests.ts";
import { noTestFile, testFileOfName } from "../../testing/find-tests.ts";
import { runTests } from "../../testing/run-tests.ts";
import { shortenMismatch } from "../../testing/shorten-mismatch.ts";
import type { TestBench } from "../../testing/test-bench.ts";
import { defined } from "../../util/defined.ts";
import { pathBelow } from "../../util/path-below.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { refuseWhenClosing } from "../await-run.ts";
import type { Call } from "../call.ts";
import { exampleInputs } from "../example-inputs.ts";
import { forPerson } from "../for-person.ts";
import { chooseWorkspace } from "../reach-run.ts";
import { refuse, type ToolReply, withRemarks } from "../reply.ts";
import type { ServerContext } from "../server-context.ts";
import { defineTool, type Tool } from "../tool.ts";

interface Arguments {
  readonly workflow: string;
  readonly case?: string | undefined;
  readonly workspace?: string | undefined;
}

export const testWorkflow: Tool = defineTool({
  name: "test_workflow",
  title: "Test a workflow",
  description: "Runs the cases of a workflow, or says how to write them. See save_workflow.",
  toolset: "authoring",
  effect: "runs",
  parameters: () =>
    z.strictObject({
      workflow: z.string().describe("Name or path"),
      case: z.string().optional(),
      workspace: z.string().optional(),
    }),
  async call(args, call, context) {
    const directory = chooseWorkspace(args.workspace, context);
    if (!directory.ok) return refuse(directory.error);
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return refuse(closing.error);
    const bench = context.openTestBench(directory.value);
    const target = findTarget(args.workflow, directory.value, bench);
    if (!target.ok) return refuse(...target.error);
    return context.host.accompany(test(target.value, bench, { args, workspace: directory.value }, call, context));
  },
});

/** Many clients give up on a call after 60 seconds, and cases that are stopped take some, too. */
const longestMs = 45_000;

async function test(
  target: string,
  bench: TestBench,
  { args, workspace }: { readonly args: Arguments; readonly workspace: string },
  call: Call,
  context: ServerContext,
): Promise<ToolReply> {
  const { host } = context;
  const kill = (): void => bench.kill();
  host.closing.addEventListener("abort", kill);
  const late = AbortSignal.timeout(longestMs);
  try {
    const ran = await runTests(bench, {
      paths: [target],
      // Naming a file is a person's way to trust it.
      vouches: false,
      jobs: availableParallelism(),
      ...defined({ filter: args.case }),
      keep: false,
      signal: AbortSignal.any([call.signal, host.closing, late]),
      onFile: () => {},
    });
    if (!ran.ok) {
      const [first, ...more] = ran.error;
      if (first?.code !== noTestFile || more.length > 0) return refuse(...ran.error);
      return withRemarks([tellToWrite(args, workspace, context)], refuse(problem(first.code, first.message)));
    }
    const { passed, failed, cancelled } = countCases(ran.value);
    const cases = ran.value.flatMap((file) => file.cases);
    const isError = failed + cancelled > 0;
    const next = cases.find(({ status }) => status === "failed" || status === "cancelled")?.name;
    const data = {
      status: isError ? "failure" : "success",
      file: target,
      passed,
      failed,
      ...listOf("failures", cases.filter(({ status }) => status === "failed").map(describeFailure)),
      ...listOf("skipped", cases.filter(({ status }) => status === "skipped").map(describeSkipped)),
      ...(cancelled === 0 ? {} : { cancelled }),
      ...(isError ? { message: nextCall(args, next, late.aborted) } : {}),
    };
    return { kind: "result", data, isError, format: "minimal" };
  } finally {
    host.closing.removeEventListener("abort", kill);
    await bench.close();
  }
}

/** The file that is meant: a test file or a workflow, by its name in the library or by its path in the workspace. */
function findTarget(given: string, workspace: string, bench: TestBench): Result<string, readonly Diagnostic[]> {
  const { workflows, platform } = bench.runtime;
  if (!looksLikeFile(given)) {
    const file = testFileOfName(given, bench);
    return file === undefined ? err(workflows.findByName(given).diagnostics) : ok(file);
  }
  const real = platform.realPath(resolve(workspace, given));
  const advice = { kind: "list-workflows" } as const;
  if (real === undefined) return err([problem("no-such-file", `There is no file '${given}'.`, advice)]);
  if (platform.realDirectory(real).ok) return err([problem("not-a-file", `'${given}' is a directory.`, advice)]);
  if (pathBelow(workspace, real) !== undefined) return ok(real);
  return err([problem("out-of-reach", `'${given}' is outside of the workspace ${workspace}.`, advice)]);
}

function listOf(name: string, items: readonly object[]): object {
  return items.length === 0 ? {} : { [name]: items };
}

function describeFailure({ name, mismatches, failedBlocks, warnings }: CaseResult): object {
  return {
    case: name,
    differences: mismatches.map(shortenMismatch),
    ...listOf("failed_blocks", failedBlocks),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function describeSkipped({ name, needs }: CaseResult): object {
  return { case: name, needs };
}

/** Where a test file goes, what is in it at least, and what to call then. */
function tellToWrite({ workflow, workspace: given }: Arguments, workspace: string, context: ServerContext): string {
  const { workflows } = context.openRuntime(workspace);
  const isName = !looksLikeFile(workflow);
  const { plan } = isName ? workflows.findByName(workflow) : workflows.findTarget(resolve(workspace, workflow));
  // Beside a file of a `.frond` directory a test has to be trusted, too; anywhere else it is as good as a text that is sent.
  const file = isName
    ? context.settings.allowsInline
      ? `tests/${workflow}.test.yaml`
      : `.frond/workflows/${workflow}.test.yaml`
    : workflow.replace(/\.ya?ml$/, ".test.yaml");
  const inputs = plan === undefined ? undefined : exampleInputs(plan);
  const example = [
    ...(isName ? [`workflow: ${workflow}`] : []),
    "cases:",
    "  - name: works",
    ...(inputs === undefined ? [] : [`    inputs: ${JSON.stringify(inputs)}`]),
    "    expect: { outputs: {} }",
    "",
  ].join("\n");
  const isJudged = projectOf(resolve(workspace, file)) !== undefined;
  const trust = isJudged ? ` ${forPerson.trustProject({ project: workspace })}` : "";
  const next = JSON.stringify({ workflow: isJudged && isName ? workflow : file, ...defined({ workspace: given }) });
  return `Write ${JSON.stringify(example)} to ${file}.${trust} Then call test_workflow(${next}).`;
}

function nextCall({ workflow, workspace }: Arguments, name: string | undefined, isLate: boolean): string {
  const next = `test_workflow(${JSON.stringify({ workflow, ...defined({ case: name, workspace }) })})`;
  if (isLate) return `Stopped after ${longestMs / 1000} seconds. Run one case at a time: ${next}.`;
  return `Fix the workflow or what is expected of it, then call ${next}.`;
}
