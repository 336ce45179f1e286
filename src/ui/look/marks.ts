/** Signs of what does something, as paths in a square of 14. */
export const marks = {
  command: "M2 3.5 5.5 7 2 10.5M7.5 11h4.5",
  model: "M7 1.5 8.4 5.6 12.5 7 8.4 8.4 7 12.5 5.6 8.4 1.5 7 5.6 5.6z",
  web: "M2 4.5h9.5L9 2M12 9.5H2.5L5 12",
  person: "M7 7a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 7 7zM2.2 12.6a4.8 4.8 0 0 1 9.6 0",
  time: "M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM7 4v3l2 1.5",
  other: "M2.5 2.5h9v9h-9z",
} as const;
