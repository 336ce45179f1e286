/** What a run had cost when it ended, or last came to rest. */
export const whatRunsCost = `
ALTER TABLE runs ADD COLUMN spend TEXT;
`;
