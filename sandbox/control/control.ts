import { z } from 'zod'
import { Faults } from './faults.ts'
import { Ledger } from './ledger.ts'
import { Quotas } from './quotas.ts'
import { StaleReads } from './stale-reads.ts'

export const Latency = z.strictObject({
  ms: z.number().min(0).max(600_000).default(0),
  jitter_ms: z.number().min(0).max(600_000).default(0),
  /** Additional latency for each 1,000,000 bytes of a body on the wire, in both directions. */
  ms_per_mb: z.number().min(0).max(600_000).default(0),
})
export type Latency = z.infer<typeof Latency>

const none: Latency = { ms: 0, jitter_ms: 0, ms_per_mb: 0 }

/** State of the control API: faults, quotas, latency and the ledger. */
export class Control {
  latency = none
  readonly faults = new Faults()
  readonly ledger = new Ledger()
  readonly quotas: Quotas
  readonly staleReads = new StaleReads()

  constructor(now: () => Date) {
    this.quotas = new Quotas(now)
  }

  /** Restores the defaults and clears all counters. */
  reset(): void {
    this.latency = none
    this.faults.set([])
    this.quotas.reset()
    this.ledger.reset()
    this.staleReads.reset()
  }
}
