import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { call, sending } from './api.ts'

const Counts = { read: z.number(), write: z.number() }

const Quotas = z.object({
  enabled: z.boolean(),
  per_project: z.number(),
  per_user: z.number(),
  use: z.object({
    ...Counts,
    users: z.array(z.object({ email: z.string(), ...Counts })),
    resets_at: z.string(),
  }),
})
export type Quotas = z.infer<typeof Quotas>

const Fault = z.object({
  kind: z.string(),
  match: z.object({ kind: z.enum(['read', 'write']).optional() }).loose(),
  count: z.number().optional(),
  probability: z.number().optional(),
  ms: z.number().optional(),
})
export type Fault = z.infer<typeof Fault>

const Faults = z.object({ faults: z.array(Fault), kinds: z.record(z.string(), z.string()) })
const Latency = z.object({ ms: z.number(), jitter_ms: z.number() })

const LedgerEntry = z.object({
  id: z.number(),
  at: z.string(),
  account: z.string(),
  kind: z.enum(['read', 'write']),
  method: z.string(),
  path: z.string(),
  spreadsheet_id: z.string().nullable(),
  ranges: z.array(z.string()),
  cells: z.number(),
  status: z.number(),
  applied: z.boolean(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>
const Ledger = z.object({ entries: z.array(LedgerEntry) })

/** Common query key prefix, so that a change invalidates all control queries. */
export const controlKey = ['control']

export const quotas = queryOptions({
  queryKey: [...controlKey, 'quotas'],
  queryFn: ({ signal }) => call(Quotas, '/control/quotas', { signal }),
  refetchInterval: 1_000,
})

export const faults = queryOptions({
  queryKey: [...controlKey, 'faults'],
  queryFn: ({ signal }) => call(Faults, '/control/faults', { signal }),
  refetchInterval: 1_000,
})

export const latency = queryOptions({
  queryKey: [...controlKey, 'latency'],
  queryFn: ({ signal }) => call(Latency, '/control/latency', { signal }),
  refetchInterval: 5_000,
})

export const recentRequests = (bookId: string | undefined) =>
  queryOptions({
    queryKey: [...controlKey, 'ledger', bookId],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        last: '30',
        ...(bookId === undefined ? {} : { spreadsheet_id: bookId }),
      })
      return call(Ledger, `/control/ledger?${query}`, { signal })
    },
    refetchInterval: 1_000,
  })

const Done = z.unknown()

export const setQuotas = (enabled: boolean) => call(Done, '/control/quotas', sending('PUT', { enabled }))
export const setLatency = (ms: number) =>
  call(Done, '/control/latency', sending('PUT', { ms, jitter_ms: ms / 2 }))
export const setFaults = (on: Fault[]) => call(Done, '/control/faults', sending('PUT', { faults: on }))
export const resetControls = () => call(Done, '/control/reset', sending('POST', {}))
