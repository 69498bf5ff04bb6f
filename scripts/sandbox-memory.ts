/**
 * Options of Node for the sandbox, which NODE_OPTIONS does not take. A request may bring and take ten megabytes, and all that is made
 * of them is dead once it is answered: a young generation that has room for it from the start spares copying it about, and by the last
 * one bodies count towards the size of the heap. Otherwise V8 goes through all cells of all spreadsheets each time that bodies have
 * come to 64 MB.
 */
export const sandboxMemory = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--external-memory-accounted-in-global-limit',
]
