import type { ElicitResult, Server } from "@modelcontextprotocol/server";
import { settledWithin } from "../util/wait-within.ts";
import type { QuestionData } from "../views/response.ts";
import { awaitRun } from "./await-run.ts";
import type { Call } from "./call.ts";
import { callText } from "./call-text.ts";
import { describeNow } from "./describe-now.ts";
import { type Questions, refuse, runResult, type ToolReply, withRemarks } from "./reply.ts";
import { type AnsweredRound, answerRound, findAsking, mostRounds } from "./rounds.ts";
import type { ServerContext } from "./server-context.ts";
import { elicitAll } from "./wire.ts";

/** A form that a client of the old era shows: what became of it is known when the person has answered. */
type OpenForm = Promise<AnsweredRound>;

/** A person may take their time: the call does not wait for that, and the answer counts whenever it comes. */
const longestMs = 24 * 60 * 60 * 1000;

/**
 * Clients of the old era are asked while their call lasts. The call never lasts longer than it was to wait: a form that is open
 * then stays open, and its answer counts when it comes.
 */
export class Forms {
  readonly #context: ServerContext;
  /** By client, then by question: nobody is shown the same form twice at a time. */
  readonly #open = new WeakMap<Server, Map<string, OpenForm>>();

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Asks the questions of a reply, and those that come up when they are answered, until the deadline (`performance.now()`). */
  async ask(first: ToolReply, client: FormClient, call: Call, deadline: number): Promise<ToolReply> {
    const declined = new Set<string>();
    const remarks: string[] = [];
    let reply = first;
    for (let round = 1; reply.kind === "questions"; round += 1) {
      const { runId, waiting, questions } = reply;
      const left = (): number => Math.max(0, deadline - performance.now());
      const answers: AnsweredRound[] = [];
      const answered = Promise.all(await this.#openAll(reply, client, call.signal)).then((all) => answers.push(...all));
      await settledWithin(answered, left(), call.signal);
      const isOpen = answers.length < questions.length;
      if (isOpen || call.signal.aborted) return this.#leaveOpen(runId, questions, waiting.format, remarks);
      for (const answer of answers) {
        for (const id of answer.declined) declined.add(id);
        remarks.push(...answer.remarks);
      }
      const misfits = new Map(answers.flatMap((answer) => [...answer.misfits]));
      const elicits = round < mostRounds;
      const rest = { ...waiting, waitSeconds: left() / 1000 };
      reply = await awaitRun(runId, rest, { ...call, elicits }, this.#context, declined);
      if (reply.kind === "questions") reply = { ...reply, misfits };
    }
    return withRemarks(remarks, reply);
  }

  async #openAll(
    { runId, questions, misfits }: Questions,
    client: FormClient,
    signal: AbortSignal,
  ): Promise<readonly OpenForm[]> {
    const open = this.#open.get(client.server) ?? new Map<string, OpenForm>();
    this.#open.set(client.server, open);
    const requests = elicitAll(questions, await findAsking(runId, this.#context), misfits);
    return questions.map(({ checkpoint_id: id, block }) => {
      const known = open.get(id);
      if (known !== undefined) return known;
      const request = { ...client, params: requests[id]?.params as object, signal };
      const form = this.#show(request, runId, id, block).finally(() => open.delete(id));
      open.set(id, form);
      return form;
    });
  }

  /** The answer is given as soon as it comes, whether or not a call still waits for it. */
  async #show(
    { server, requestId, params, signal }: FormClient & { readonly params: object; readonly signal: AbortSignal },
    runId: string,
    id: string,
    block: string,
  ): Promise<AnsweredRound> {
    try {
      const request = { method: "elicitation/create", params: { mode: "form", ...params } };
      const result = (await server.request(request as never, {
        relatedRequestId: requestId,
        timeout: longestMs,
        // Whoever takes the call back wants no form of it.
        signal,
      })) as ElicitResult;
      return await answerRound({ runId, asked: [id] }, { [id]: result }, this.#context);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#context.log("warn", `A question could not be put to a person: ${reason}`);
      return {
        declined: new Set([id]),
        misfits: new Map(),
        remarks: [`The client could not ask a person '${block}'.`],
      };
    }
  }

  async #leaveOpen(
    runId: string,
    questions: readonly QuestionData[],
    format: "minimal" | "detailed",
    remarks: readonly string[],
  ): Promise<ToolReply> {
    const described = await describeNow(runId, format, this.#context);
    if (!described.ok) return refuse(described.error);
    const resume = callText("resume_workflow", { checkpoint_id: questions[0]?.checkpoint_id ?? runId });
    const open = `The person has not answered yet: their form stays open, and the answer counts when it comes. ${resume} waits for it.`;
    const { message: _, ...response } = described.value;
    return withRemarks([...remarks, open], runResult(response, format));
  }
}

/** Who is asked, and by which of their requests. */
export interface FormClient {
  readonly server: Server;
  readonly requestId: string | number;
}
