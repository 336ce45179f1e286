/** In the environment of every command, and so of what it starts: which run and which block they belong to. */
export const runIdVariable = "FROND_RUN_ID";
export const idempotencyKeyVariable = "FROND_IDEMPOTENCY_KEY";
