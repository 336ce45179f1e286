/** In JSON: what tells a run from others of its workflow, and how it went well. */
export const whatTellsRunsApart = `
ALTER TABLE runs ADD COLUMN label TEXT;
ALTER TABLE runs ADD COLUMN result TEXT;
`;
