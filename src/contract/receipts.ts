import { z } from 'zod'

/** What a run left behind: the proof of what it did. Durations in milliseconds. */
export const Receipt = z.object({
  rows: z.int(),
  columns: z.int(),
  cells_changed: z.int(),
  reads: z.int(),
  writes: z.int(),
  mode: z.enum(['unchanged', 'small', 'staged', 'in_place']),
  source_hash: z.string(),
  target_hash: z.string(),
  duration_ms: z.int(),
  /** Addresses of all that requests were made with, separated by commas. */
  account: z.string(),
})
export type Receipt = z.infer<typeof Receipt>
