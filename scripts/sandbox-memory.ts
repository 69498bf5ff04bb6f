/**
 * Node options of the sandbox that NODE_OPTIONS does not accept. Requests may have bodies of 10 MB whose data is short-lived, so
 * the young generation is large from the start, and external memory counts towards the heap limit. Otherwise V8 would scan all
 * cells of all spreadsheets after every 64 MB of bodies.
 */
export const sandboxMemory = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=32',
  '--external-memory-accounted-in-global-limit',
]
