/** How something ended, as events tell it. */
export interface Ended {
  readonly status: "completed" | "failed";
  readonly outcome: "success" | "failure" | "n/a";
  readonly message: string | null;
  readonly cause?: string;
}

/** `success`; `failure` where it ran and says no; else why it was ended, or `crashed`: few enough to count by. */
export function outcomeWord({ status, outcome, cause }: Ended): string {
  if (outcome === "success") return "success";
  return status === "completed" ? "failure" : (cause ?? "crashed");
}
