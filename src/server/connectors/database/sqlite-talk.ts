import { z } from 'zod'

/** How the process that reads a SQLite file says that it has ended: what became of values, or why it failed. */
export const SqliteEnd = z.union([
  z.object({
    notes: z.array(
      z.object({ note: z.enum(['long_number', 'bytes', 'nul']), column: z.int(), times: z.int() }),
    ),
  }),
  z.object({ kind: z.enum(['forbidden', 'not_found', 'invalid', 'unavailable']), message: z.string() }),
])
