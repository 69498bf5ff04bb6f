import { z } from 'zod'

const Own = z.object({
  /** When the run started, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests made up to this checkpoint, by all workers. */
  reads: z.int(),
  writes: z.int(),
  /** The stored source rows; null until the read is complete. */
  snapshot_id: z.int().nullable(),
  /** Number of rows sampled for number formats; null: all rows, or unknown. */
  format_sample_rows: z.int().nullable().default(null),
  /** The target’s rows before the first commit of the run. */
  before_snapshot_id: z.int().nullable(),
  /** Plan of the first commit, saved before it is sent. Earlier releases stored `in_place` for a target without atomic commit. */
  commit: z.object({ mode: z.enum(['small', 'staged', 'in_place']), cells_changed: z.int() }).nullable(),
  /** State that the target connector saved; null: none. */
  target: z.unknown(),
})

// Earlier releases stored the target's state as top-level fields.
const Flat = z
  .object({ new_sheet_id: z.int(), fence: z.unknown().default(null) })
  .transform(({ new_sheet_id, fence }) => ({ new_sheet_id, fence }))

/** State from which another worker resumes a copy. */
export const Checkpoint = z.preprocess((stored) => {
  const target = Flat.safeParse(stored)
  return target.success ? { ...(stored as object), target: target.data } : stored
}, Own)
export type Checkpoint = z.infer<typeof Own>
