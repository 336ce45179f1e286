/** Who started a run, as JSON: a client may call itself anything. */
export const whoStartedRuns = `
ALTER TABLE runs ADD COLUMN started_by TEXT;
`;
