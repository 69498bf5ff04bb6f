import { createHash } from 'node:crypto'
import { countRows } from '../../../snapshots/bit-sets.ts'
import type { PreviousRecords } from '../storage/previous-records.ts'
import type { CompilePlan } from './compile-plan.ts'

/** Increase when the same rows and settings are merged into other records than before, or more is stored about them. */
export const MERGE_RULES_VERSION = 3

/** Hash of everything a merge depends on: source versions and settings. */
export function mergeInputHash(plan: CompilePlan): string {
  // Subjects, because messages may change with a release.
  const hashed = { ...plan, warnings: plan.warnings.map(({ subject }) => subject) }
  return createHash('sha256')
    .update(JSON.stringify([MERGE_RULES_VERSION, hashed]))
    .digest('hex')
}

/** Whether a merge would produce the previous records again. A compile restores removed records, so none may be removed. */
export const isSameMerge = (previous: PreviousRecords, plan: CompilePlan): boolean =>
  previous.merged_from === mergeInputHash(plan) && countRows(previous.removed) === 0
