import { z } from 'zod'
import { Paging } from '../../../contract/connections/calls.ts'

// Messages between a reading and the process that parses its replies, in addition to replies and rows.

/** Announces a reply of `bytes` bytes, which follow. */
export const ParseRequest = z.object({
  bytes: z.int(),
  settings: z.object({
    format: z.enum(['json', 'ndjson', 'csv']),
    list_path: z.string(),
    total_path: z.string(),
    paging: Paging,
  }),
  headers: z.record(z.string(), z.string()),
  url: z.string(),
  isFirst: z.boolean(),
  columns: z.array(z.string()),
})
export type ParseRequest = z.infer<typeof ParseRequest>

/** Outcome: what the page contains besides rows, or a failure. */
export const ParseEnd = z.union([
  z.object({
    columns: z.array(z.string()),
    facts: z.object({
      rows: z.int(),
      total: z.number().nullable(),
      has_more: z.boolean().nullable(),
      next: z
        .union([z.object({ cursor: z.union([z.string(), z.number()]) }), z.object({ url: z.string() })])
        .nullable(),
    }),
    digest: z.string(),
    error: z.object({ detail: z.string(), code: z.number().nullable(), isExplicit: z.boolean() }).nullable(),
    missing: z.object({ fields: z.array(z.string()), text: z.string().nullable() }).nullable(),
  }),
  z.object({
    kind: z.enum(['forbidden', 'not_found', 'invalid', 'too_large', 'unavailable']),
    message: z.string(),
    /** Number of retries worth making after the failure. */
    tries: z.int().nullable(),
  }),
])
