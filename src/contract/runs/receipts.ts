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
  /** Of how many rows number formats were judged; left out where they were read of all. */
  format_sample_rows: z.optional(z.int()),
  duration_ms: z.int(),
  /** Addresses of all that requests were made with, separated by commas. */
  account: z.string(),
})
export type CopyReceipt = z.infer<typeof CopyReceipt>

/** What fetching rows left behind. Durations in milliseconds. */
export const IngestReceipt = z.object({
  rows: z.int(),
  columns: z.int(),
  requests: z.int(),
  /** Whether the rows that were read became the current ones. */
  is_changed: z.boolean(),
  /** True: the rows need a person's approval before they become current. Receipts from before this was kept lack it. */
  needs_approval: z.optional(z.boolean()),
  hash: z.string(),
  /** Of how many rows number formats were judged; left out where they were read of all. */
  format_sample_rows: z.optional(z.int()),
  duration_ms: z.int(),
  /** Addresses of the Google accounts that requests were made with; blank where none was. */
  account: z.string(),
})
export type IngestReceipt = z.infer<typeof IngestReceipt>

/** What a compile left behind. Counts of records, but for `rows_read`, those of the sources; durations in milliseconds. */
export const CompileReceipt = z.object({
  records: z.int(),
  fields: z.int(),
  sources: z.int(),
  rows_read: z.int(),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  blanks: z.int(),
  errors: z.int(),
  duplicates: z.int(),
  /** Without any of these; receipts from before this was counted lack it. */
  clean: z.optional(z.int()),
  duration_ms: z.int(),
})
export type CompileReceipt = z.infer<typeof CompileReceipt>

/** What a run left behind; what that is depends on the category of its task. */
export const Receipt = z.union([CopyReceipt, IngestReceipt, CompileReceipt])
export type Receipt = z.infer<typeof Receipt>

/** Requests that a run made, reads and writes together; a compile makes none. */
export function requestsOf(receipt: Receipt): number {
  if ('reads' in receipt) return receipt.reads + receipt.writes
  return 'requests' in receipt ? receipt.requests : 0
}

/** Rows that a run copied, fetched or compiled. */
export const rowsOf = (receipt: Receipt): number => ('rows' in receipt ? receipt.rows : receipt.records)

const receipts = { sync: CopyReceipt, source: IngestReceipt, compiler: CompileReceipt }

/** The receipt of a run as it is stored; null when it has none, or one that this version does not know. */
export const parseReceipt = (category: keyof typeof receipts, stored: unknown): Receipt | null =>
  receipts[category].safeParse(stored).data ?? null
