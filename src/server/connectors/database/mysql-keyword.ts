// White space, brackets and comments. Comments that MySQL or MariaDB execute (/*! … , /*M! …) do not count as
// comments.
const IGNORED_PREFIX = /^(?:[\s(]+|--(?=[\s]|$)[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/)*/
const WORD = /^[A-Za-z]+/

/** The first keyword of a statement, in capitals; '' if there is none. */
export function firstKeyword(statement: string): string {
  const rest = statement.replace(IGNORED_PREFIX, '')
  return WORD.exec(rest)?.[0].toUpperCase() ?? ''
}
