import { createHash } from 'node:crypto'
import { countRows } from '../../../snapshots/bit-sets.ts'
import type { PreviousRecords } from '../sources.ts'
import type { CompilePlan } from './compile-plan.ts'

/** Counts on when the same rows and settings come to other records than before. */
export const RULES = 2

/** What a merge goes by, as a hash: which rows of which sources, and every setting. */
export const mergedFrom = (plan: CompilePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([RULES, plan]))
    .digest('hex')

/** Whether a merge comes to the records that are there, of which none has been removed. */
export const isSameMerge = (current: PreviousRecords, plan: CompilePlan): boolean =>
  current.merged_from === mergedFrom(plan) && countRows(current.removed) === 0
