import { createHash } from 'node:crypto'
import { countRows } from '../../../snapshots/bit-sets.ts'
import type { PreviousRecords } from '../storage/previous-records.ts'
import type { CompilePlan } from './compile-plan.ts'

/** Increase when the same rows and settings are merged into other records than before. */
export const RULES = 2

/** Hash of everything a merge depends on: source versions and settings. */
export const mergedFrom = (plan: CompilePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([RULES, plan]))
    .digest('hex')

/** Whether a merge would produce the previous records again. A compile restores removed records, so none may be removed. */
export const isSameMerge = (previous: PreviousRecords, plan: CompilePlan): boolean =>
  previous.merged_from === mergedFrom(plan) && countRows(previous.removed) === 0
