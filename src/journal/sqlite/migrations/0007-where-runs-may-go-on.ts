/** Which workers may take a run, as JSON, and the machine that has its workspace. */
export const whereRunsMayGoOn = `
ALTER TABLE runs ADD COLUMN queue TEXT;
ALTER TABLE runs ADD COLUMN host TEXT;
`;
