/** The run that a run takes back, or a part of it. */
export const whatRunsUndo = `
ALTER TABLE runs ADD COLUMN undo_of TEXT;
CREATE INDEX runs_by_undone ON runs (undo_of) WHERE undo_of IS NOT NULL;
`;
