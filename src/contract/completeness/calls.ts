import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, Moment } from '../fields.ts'

/** Completeness of the records of a configuration for one target. */
export const TargetCompleteness = z.object({
  compiler_config_id: Id,
  config_name: z.string(),
  /** The sync task. */
  task_id: Id,
  name: z.string(),
  /** Whether incomplete records are left out. */
  only_complete: z.boolean(),
  /** The fields that it needs. */
  fields: z.array(z.string()),
  records: z.int(),
  complete: z.int(),
  /** For each field that some records lack, the number of these, largest first. */
  missing: z.array(z.object({ field: z.string(), records: z.int() })),
  /** Last compiles that measured it, newest last. */
  trend: z.array(z.object({ run_id: Id, compiled_at: Moment, records: z.int(), complete: z.int() })),
})
export type TargetCompleteness = z.infer<typeof TargetCompleteness>

/** Whole percent of the records that are complete; rounded down, so that 100 % means all. No records: 100. */
export const completePercent = ({ records, complete }: { records: number; complete: number }): number =>
  records === 0 ? 100 : Math.floor((complete * 100) / records)

/** API calls for completeness by target. */
export const compilerCompleteness = {
  completeness: {
    method: 'GET',
    path: '/api/compiler/completeness',
    summary:
      'How many records of compiled configurations have all fields that their sync tasks need, by sync task; of one configuration, or all',
    query: z.strictObject({ compiler_config_id: z.optional(digits('compiler_config_id', 1, 2_147_483_647)) }),
    reply: z.array(TargetCompleteness),
  },
} satisfies Calls
