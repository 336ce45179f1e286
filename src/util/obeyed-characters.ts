/**
 * What turns the direction of writing in a terminal, or ends a line there, although it is no control character: for the inside of a
 * class in a regular expression.
 */
export const turningCharacters = "\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069";
