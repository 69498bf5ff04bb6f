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

/** What a run left behind; what that is depends on the category of its task. */
export const Receipt = z.union([CopyReceipt])
export type Receipt = z.infer<typeof Receipt>

/** The receipt of a run as it is stored; null when it has none, or one that this version does not know. */
export function parseReceipt(category: 'sync' | 'source' | 'compiler', stored: unknown): Receipt | null {
  switch (category) {
    case 'sync':
      return z.nullable(CopyReceipt).parse(stored)
    case 'source':
    case 'compiler':
      return null
  }
}
