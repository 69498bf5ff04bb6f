import { z } from 'zod'

const Own = z.object({
  /** When the run began its work, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests made by workers before. */
  reads: z.int(),
  writes: z.int(),
  /** The source as it was read; null until all of it was. */
  snapshot_id: z.int().nullable(),
  /** Of how many of its rows number formats were judged; null: of all, or it is not known. */
  format_sample_rows: z.int().nullable().default(null),
  /** The target as it was before the first commit of the run. */
  before_snapshot_id: z.int().nullable(),
  /** What the first commit is about to do; null before it. Earlier releases stored `in_place` for a target written without atomic commit. */
  commit: z.object({ mode: z.enum(['small', 'staged', 'in_place']), cells_changed: z.int() }).nullable(),
  /** What the target has saved; null: nothing. */
  target: z.unknown(),
})

// Of runs that an earlier version began, which kept what is the target's beside the rest.
const Flat = z
  .object({ new_sheet_id: z.int(), fence: z.unknown().default(null) })
  .transform(({ new_sheet_id, fence }) => ({ new_sheet_id, fence }))

/** Where a worker that takes a copy over goes on. */
export const Checkpoint = z.preprocess((stored) => {
  const target = Flat.safeParse(stored)
  return target.success ? { ...(stored as object), target: target.data } : stored
}, Own)
export type Checkpoint = z.infer<typeof Own>
