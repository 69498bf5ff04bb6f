import type { Pool } from 'pg'
import type { Sources, Targets } from '../../connectors/registry.ts'
import type { RunContext } from '../../engine/types.ts'
import type { StoredSnapshot } from '../../snapshots/snapshot.ts'
import type { CredentialProvider } from '../source-context.ts'
import type { CheckpointKeeper } from './checkpoint.ts'
import type { Definition } from './definition.ts'
import type { Binding } from './ownership/binding.ts'

export type CopySettings = {
  google: CredentialProvider
  sources: Sources
  targets: Targets
  pool: Pool
  /** Delays before each repeated read of a target that does not show the written rows yet; milliseconds. */
  stale_waits_ms: number[]
  /** URL where the account owner grants revoked access again. */
  reconnect_url: string
  /** Time zone of moments in messages; UTC if it is not given. */
  zone?: string
}

/** What all steps of a copy need. Everything that a step finds out is passed to the next one as its result. */
export type CopyAttempt = {
  settings: CopySettings
  context: RunContext
  definition: Definition
  keeper: CheckpointKeeper
  /** The tab of a split task; null: the only target of the task. */
  tab: TabOfSplit | null
}

export type TabOfSplit = {
  value: string
  /** Where its binding is stored; for a preview of a tab that the task does not have, the binding. */
  stored: { id: number } | Binding
  /** Of its rows, for people. */
  title: string
  /** Null: those of a part of a plan, or of a version. */
  rows: StoredSnapshot | null
  /** The part of the plan that is written; null: none. */
  plan: number | null
  isCleared: boolean
}
