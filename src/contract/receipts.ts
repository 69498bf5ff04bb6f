import * as z from 'zod/mini'

/** What a copy left behind: the proof of what it did. Durations in milliseconds. */
export const CopyReceipt = z.object({
  rows: z.int(),
  columns: z.int(),
  cells_changed: z.int(),
  reads: z.int(),
  writes: z.int(),
  mode: z.enum(['unchanged', 'small', 'staged', 'in_place']),
  source_hash: z.string(),
  target_hash: z.string(),
  duration_ms: z.int(),
  /** Addresses of all that requests were made with, separated by commas. */
  account: z.string(),
})
export type CopyReceipt = z.infer<typeof CopyReceipt>

/** What fetching rows left behind. Durations in milliseconds. */
export const PullReceipt = z.object({
  rows: z.int(),
  columns: z.int(),
  requests: z.int(),
  /** False: the origin had nothing new, and the rows stayed as they were. */
  is_changed: z.boolean(),
  hash: z.string(),
  duration_ms: z.int(),
  /** Addresses of the Google accounts that requests were made with; blank where none was. */
  account: z.string(),
})
export type PullReceipt = z.infer<typeof PullReceipt>

/** What a run left behind; what that is depends on the category of its task. */
export const Receipt = z.union([CopyReceipt, PullReceipt])
export type Receipt = z.infer<typeof Receipt>

/** Requests that a run made, reads and writes together. */
export const requestsOf = (receipt: Receipt): number =>
  'reads' in receipt ? receipt.reads + receipt.writes : receipt.requests

/** The receipt of a run as it is stored; null when it has none, or one that this version does not know. */
export function parseReceipt(category: 'sync' | 'source' | 'compiler', stored: unknown): Receipt | null {
  switch (category) {
    case 'sync':
      return z.nullable(CopyReceipt).parse(stored)
    case 'source':
      return z.nullable(PullReceipt).parse(stored)
    case 'compiler':
      return null
  }
}
