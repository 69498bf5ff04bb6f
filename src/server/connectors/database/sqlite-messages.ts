import { z } from 'zod'

/** Outcome reported by the process that reads a SQLite file: notes about converted values, or a failure. */
export const SqliteEnd = z.union([
  z.object({
    notes: z.array(
      z.object({ note: z.enum(['long_number', 'bytes', 'nul']), column: z.int(), times: z.int() }),
    ),
  }),
  z.object({ kind: z.enum(['forbidden', 'not_found', 'invalid', 'unavailable']), message: z.string() }),
])
