/** Sources in one element of a set of them: a bit each, the lowest first, in arrays of PostgreSQL's int. */
export const BITS_IN_WORD = 30
