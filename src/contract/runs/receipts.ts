import * as z from 'zod/mini'
import { formatted } from '../counted.ts'

/**
 * Rows of a run that matched rows: those it added, updated or found unchanged; rows that it wrote earlier and the source no longer has; and
 * rows of the source that it skipped because of their key.
 */
export const ByKey = z.object({
  added: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  missing: z.int(),
  skipped: z.int(),
})
export type ByKey = z.infer<typeof ByKey>

/** A tab of a split task as a run left it. `is_cleared`: its value is gone, so it was emptied. */
export const CopiedTab = z.object({
  value: z.string(),
  sheet_name: z.string(),
  rows: z.int(),
  cells_changed: z.int(),
  is_cleared: z.boolean(),
})
export type CopiedTab = z.infer<typeof CopiedTab>

/** Receipt of a copy. Durations in milliseconds. */
export const CopyReceipt = z.object({
  rows: z.int(),
  columns: z.int(),
  cells_changed: z.int(),
  reads: z.int(),
  writes: z.int(),
  /** `preview`: nothing was written, and `cells_changed` would change. */
  mode: z.enum(['unchanged', 'small', 'staged', 'in_place', 'preview']),
  source_hash: z.string(),
  target_hash: z.string(),
  /** Number of rows in which number formats were read; omitted if they were read in all rows. */
  format_sample_rows: z.optional(z.int()),
  duration_ms: z.int(),
  /** Comma-separated mail addresses of the accounts that made requests. */
  account: z.string(),
  /** Hash of the plan that a preview has made, or that a run has written instead of the source's rows. */
  plan: z.optional(z.string()),
  /** Rows by what happened to them; missing where the target was replaced as a whole. */
  by_key: z.optional(ByKey),
  /** The tabs of a split task, whose hashes are then those of all tabs together, so that they differ. */
  tabs: z.optional(z.array(CopiedTab)),
})
export type CopyReceipt = z.infer<typeof CopyReceipt>

/** Receipt of an ingest. Durations in milliseconds. */
export const IngestReceipt = z.object({
  rows: z.int(),
  columns: z.int(),
  requests: z.int(),
  /** Whether the read rows became the current ones. */
  is_changed: z.boolean(),
  /** True: the rows need approval before they become current. Missing in old receipts. */
  needs_approval: z.optional(z.boolean()),
  hash: z.string(),
  /** Number of rows in which number formats were read; omitted if they were read in all rows. */
  format_sample_rows: z.optional(z.int()),
  duration_ms: z.int(),
  /** Mail addresses of the Google accounts that made requests; blank without Google requests. */
  account: z.string(),
})
export type IngestReceipt = z.infer<typeof IngestReceipt>

/** Receipt of a compile. Counts are records, except `rows_read`, which are source rows; durations in milliseconds. */
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
  /** Records without blanks, errors and duplicates; missing in old receipts. */
  clean: z.optional(z.int()),
  /** Records that have all fields that a target needs, by the id of its sync task; missing: none measures it. */
  complete: z.optional(z.record(z.string(), z.int())),
  /** The records wait for an approval; missing: they are current. */
  waits: z.optional(z.literal(true)),
  duration_ms: z.int(),
})
export type CompileReceipt = z.infer<typeof CompileReceipt>

/** Receipt of a run, by the category of its task. */
export const Receipt = z.union([CopyReceipt, IngestReceipt, CompileReceipt])
export type Receipt = z.infer<typeof Receipt>

/** Counts of rows by key in words: "3 rows added, 2 updated, 400 unchanged, 1 missing". */
export function keyCountsText({ added, updated, unchanged, missing, skipped }: ByKey): string {
  const known = `${formatted(added)} ${added === 1 ? 'row' : 'rows'} added, ${formatted(updated)} updated, ${formatted(unchanged)} unchanged`
  const others = [
    missing > 0 && `${formatted(missing)} missing`,
    skipped > 0 && `${formatted(skipped)} skipped`,
  ].filter((text) => text !== false)
  return [known, ...others].join(', ')
}

/** Tabs of a split task in words: "12 tabs, 2 with changed cells, 1 emptied". */
export function tabsText(tabs: readonly CopiedTab[]): string {
  const changed = tabs.filter(({ cells_changed }) => cells_changed > 0).length
  const emptied = tabs.filter(({ is_cleared }) => is_cleared).length
  return [
    `${formatted(tabs.length)} ${tabs.length === 1 ? 'tab' : 'tabs'}`,
    changed === 0 ? 'none with changed cells' : `${formatted(changed)} with changed cells`,
    ...(emptied > 0 ? [`${formatted(emptied)} emptied`] : []),
  ].join(', ')
}

/** Read and write requests of a run; 0 for a compile. */
export function requestsOf(receipt: Receipt): number {
  if ('reads' in receipt) return receipt.reads + receipt.writes
  return 'requests' in receipt ? receipt.requests : 0
}

/** Copied, ingested or compiled rows of a run. */
export const rowsOf = (receipt: Receipt): number => ('rows' in receipt ? receipt.rows : receipt.records)

const receipts = { sync: CopyReceipt, source: IngestReceipt, compiler: CompileReceipt }

/** Parses a stored receipt; null if there is none or its format is unknown. */
export const parseReceipt = (category: keyof typeof receipts, stored: unknown): Receipt | null =>
  receipts[category].safeParse(stored).data ?? null
