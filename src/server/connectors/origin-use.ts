import type { HostRules } from './guarded/host-rules.ts'
import type { Resolve } from './guarded/lookup.ts'

/** On whose behalf an origin outside is read, and what holds for all of its requests. */
export type OriginUse = {
  signal: AbortSignal
  /** Hosts that may be reached. */
  rules: HostRules
  /** How names are looked up; default DNS. */
  resolve?: Resolve
  /** Rows that are passed on together. */
  chunk_size: number
  /** More rows than this end the reading with a failure. */
  max_rows: number
  /** Called before each outside call; what it throws ends the reading. */
  beforeRequest: () => Promise<void>
  /** Called with the reason when a request is made again. */
  onRetry: (reason: string) => Promise<void>
  /** Called when a pause begins; what it returns is called when the pause is over. Milliseconds. */
  onWait: (wait: { for: 'backoff'; reason: string; ms: number }) => () => void
}
