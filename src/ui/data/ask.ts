import type { ApiError } from "../../views/page/workflow-records.ts";
import { ApiProblem } from "./source.ts";

/** Asks the API for a record. */
export async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(`/api${path}`, init).catch(failOffline);
  if (!response.ok) throw await readProblem(response);
  return (await response.json().catch(failOffline)) as T;
}

/** What an answer that says no tells. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const data: unknown = await response.json().catch(() => ({}));
  const { error } = data as Partial<ApiError>;
  return new ApiProblem(
    response.status,
    error ?? { code: "failed", message: `The server answered ${response.status}.` },
  );
}

/** The server is gone, or went while it answered. */
function failOffline(): never {
  throw new ApiProblem(0, { code: "offline", message: "The server does not answer." });
}
