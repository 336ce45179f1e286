/** When a run that sleeps can go on. */
export const sleepingRuns = `
ALTER TABLE runs ADD COLUMN wake_at TEXT;
CREATE INDEX runs_by_wake_at ON runs (wake_at) WHERE wake_at IS NOT NULL;
`;
