import { z } from 'zod'

/** Where a worker that takes a copy over goes on. */
export const Checkpoint = z.object({
  /** When the run began its work, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests made by workers before. */
  reads: z.int(),
  writes: z.int(),
  /** Id for the target's tab, should it have to be created. */
  new_sheet_id: z.int(),
  /** The source as it was read; null until all of it was. */
  snapshot_id: z.int().nullable(),
  /** The target as it was before the first commit of the run. */
  before_snapshot_id: z.int().nullable(),
  /** What the first commit set out to do; null until then. */
  commit: z.object({ mode: z.enum(['small', 'staged', 'in_place']), cells_changed: z.int() }).nullable(),
  /** The hidden tab that commits of the attempt are fenced by, and how many rows are staged in it; null until it is there for certain. */
  fence: z.object({ id: z.int(), rows: z.int() }).nullable().default(null),
})
export type Checkpoint = z.infer<typeof Checkpoint>
