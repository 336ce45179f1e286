/** Of boxes, and of what is written in them, in pixels. */
export const boxHeight = 40;
export const boxHeightWithCells = 60;
/** What holds others looks like a stack of cards: those behind it need room, too. */
export const stackHeight = 6;
export const textLeft = 32;
export const textRight = 10;
export const nameSize = 13;
export const lineSize = 11;
