import type { Pool } from 'pg'
import type { RunContext } from '../../engine/types.ts'
import type { CompilePlan } from './rules/compile-plan.ts'
import type { PreviousRecords } from './sources.ts'

/** Where a compile keeps what it has read, and the connections for bulk rows, of which it takes two. */
export type CompileDeps = { pool: Pool; folder: string }

/** A compile under way. */
export type Compile = {
  context: RunContext
  plan: CompilePlan
  current: PreviousRecords | null
  /** Records that stay as they are; null: none. */
  kept: PreviousRecords | null
  snapshot_id: number
  /** When the version began, as PostgreSQL writes it in eight bytes. */
  now: Buffer
}
