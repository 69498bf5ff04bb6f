import { z } from 'zod'
import type { RunContext } from '../../engine/types.ts'
import { FoundCells } from '../cell-notes.ts'

/** How far the rows are stored, and all that is needed to go on from there. */
const Stored = z.object({
  /** What was read: another origin is not gone on with. */
  origin: z.string(),
  /** The reading's own checkpoint. */
  at: z.unknown(),
  header: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Data rows. */
  rows: z.int(),
  /** Columns of the widest row. */
  columns: z.int(),
  hash: z.string(),
  notes: FoundCells,
})
export type Stored = z.infer<typeof Stored>

const Checkpoint = z.object({
  /** When the run began its work, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests made by workers before. */
  requests: z.int(),
  snapshot_id: z.int(),
  stored: Stored,
})
type Checkpoint = z.infer<typeof Checkpoint>

/** Where the worker was that began the run; null: nowhere that can be gone on from. */
export const readCheckpoint = ({ run }: RunContext): Checkpoint | null =>
  z.nullable(Checkpoint).parse(run.checkpoint)
