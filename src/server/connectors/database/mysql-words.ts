// Blanks, brackets, and comments: those that MySQL or MariaDB would carry out (/*! … */, /*M! … */) are none.
const BEFORE = /^(?:[\s(]+|--(?=[\s]|$)[^\n]*|#[^\n]*|\/\*(?!M?!)[\s\S]*?\*\/)*/
const WORD = /^[A-Za-z]+/

/** The word that a statement begins with, in capitals; blank where that is none. */
export function firstWord(statement: string): string {
  const rest = statement.replace(BEFORE, '')
  return WORD.exec(rest)?.[0].toUpperCase() ?? ''
}
