import { z } from 'zod'
import type { RunContext } from '../../engine/types.ts'
import { FoundCells } from '../cell-notes.ts'

/** The rows that are stored, and the state from which another worker resumes. */
const Stored = z.object({
  /** What was read; a checkpoint of another origin is not resumed. */
  origin: z.string(),
  /** The connector's own checkpoint. */
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
  /** Start of the run, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests of earlier workers of this run. */
  requests: z.int(),
  snapshot_id: z.int(),
  stored: Stored,
})
type Checkpoint = z.infer<typeof Checkpoint>

/** The checkpoint of the run's previous worker; null: there is none. */
export const readCheckpoint = ({ run }: RunContext): Checkpoint | null =>
  z.nullable(Checkpoint).parse(run.checkpoint)
