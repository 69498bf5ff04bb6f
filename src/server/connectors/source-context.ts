import type { HostRules } from './guarded/host-rules.ts'
import type { Resolve } from './guarded/lookup.ts'

/** What reading from a source needs from its caller, for all requests of the reading. */
export type SourceContext = {
  signal: AbortSignal
  /** Hosts that may be connected to. */
  rules: HostRules
  /** DNS lookup; default: the system's. */
  resolve?: Resolve
  /** Rows per batch. */
  chunk_size: number
  /** With more rows than this the reading fails. */
  max_rows: number
  /** Called before each request; if it throws, the reading ends. */
  beforeRequest: () => Promise<void>
  /** Called with the reason before each retry. */
  onRetry: (reason: string) => Promise<void>
  /** Called when a pause begins; returns a function that is called when it is over. Milliseconds. */
  onWait: (wait: { for: 'backoff'; reason: string; ms: number }) => () => void
}
