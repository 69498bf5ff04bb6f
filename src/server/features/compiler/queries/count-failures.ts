import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { CheckCount } from '../../../../contract/compiler/checks.ts'
import { compilerFieldMessages } from '../../../../contract/compiler/field-messages.ts'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import {
  isBlankValue,
  numberOf,
  repairedCode,
  testOf,
} from '../../../../contract/field-checks/field-rules.ts'
import { limits } from '../../../../contract/limits.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { linearPattern } from '../../../platform/linear-pattern.ts'
import { MedianOf } from '../../../platform/median.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { type BlockRecord, recordsAt } from '../../../snapshots/record-blocks.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

const RECORDS_AT_A_TIME = 2048

/** Values that `one_of_column` checks accept, by the number of the check. Throws RunFailure. */
export type ReadCheckLists = (
  db: Db,
  checks: readonly FieldCheck[],
) => Promise<ReadonlyMap<number, { values: ReadonlySet<string> }>>

type Wanted = { config_id: number; check: FieldCheck; signal: AbortSignal }

/**
 * Counts the records of the last compile that fail a check, as far as the time allows; of a median, says what it is. Throws NamedError
 * `compiler_task_not_found`, `merge_setting_invalid` or `preview_failed`, or the reason of the signal.
 */
export async function countFailures(
  { db, readCheckLists }: { db: Db; readCheckLists: ReadCheckLists },
  { config_id, check, signal }: Wanted,
): Promise<CheckCount> {
  const version = await readCompiled(db, config_id)
  const count: CheckCount = {
    checked: 0,
    records: version?.row_count ?? 0,
    failed: 0,
    first: [],
    median: null,
  }
  if (version === null) return count
  const numbers = check.kind === 'median' ? new MedianOf() : null
  const field = version.fields.indexOf(check.field)
  const failuresOf = failureFinder(check, version, await listOf(() => readCheckLists(db, [check])))
  const deadline = performance.now() + limits.check_count_ms
  for (let first = 1; first <= version.stored_rows; first += RECORDS_AT_A_TIME) {
    signal.throwIfAborted()
    if (performance.now() > deadline) break
    const row_nos = Array.from(
      { length: Math.min(RECORDS_AT_A_TIME, version.stored_rows - first + 1) },
      (_, n) => first + n,
    ).filter((row_no) => !hasRow(version.removed, row_no))
    for (const record of await recordsAt(db, version.rows_of, row_nos)) {
      const failed = failuresOf(record)
      count.checked += 1
      numbers?.add(numberOf(cellOf(record, field)))
      count.failed += failed.length
      count.first.push(...failed.slice(0, limits.check_examples - count.first.length))
    }
    await yieldToEventLoop()
  }
  if (numbers !== null) count.median = numbers.value()
  return count
}

type Example = CheckCount['first'][number]

const cellOf = ({ cells }: BlockRecord, field: number): CellValue =>
  field < 0 ? null : (cells[field + 1] ?? null)

/** Finds the failures that a record adds: itself, and of repeated values also the first record. */
function failureFinder(
  check: FieldCheck,
  version: CompiledVersion,
  values: ReadonlySet<string> | null,
): (record: BlockRecord) => Example[] {
  const { fields, formats } = version
  const field = fields.indexOf(check.field)
  if (check.kind === 'unique') {
    // Null: the first record with the value has been counted.
    const first = new Map<string, Example | null>()
    return (record) => {
      const value = cellOf(record, field)
      if (isBlankValue(value)) return []
      const example = exampleOf(record, check, version)
      const known = first.get(String(value))
      first.set(String(value), known === undefined ? example : null)
      return known === undefined ? [] : known === null ? [example] : [known, example]
    }
  }
  const other = check.kind === 'compare' ? fields.indexOf(check.other_field) : -1
  const test = testOf(check, { list: () => values, matcher: matcherOf })
  return (record) => {
    const value = cellOf(record, field)
    const is_date = typeof value === 'number' && isDateFormat(formats.ofField(field, record)?.type)
    return test({ value, is_date }, cellOf(record, other)) ? [] : [exampleOf(record, check, version)]
  }
}

/** The list of a `one_of_column` check; null for other checks. Throws NamedError `preview_failed` if it cannot be read. */
async function listOf(read: () => ReturnType<ReadCheckLists>): Promise<ReadonlySet<string> | null> {
  try {
    return (await read()).get(0)?.values ?? null
  } catch (error) {
    if (error instanceof RunFailure) throw new NamedError('preview_failed', { message: error.message })
    throw error
  }
}

const isDateFormat = (type: string | undefined) => type?.startsWith('DATE') ?? false

function matcherOf(pattern: string): (text: string) => boolean {
  const matches = linearPattern(pattern)
  if (matches === null)
    throw new NamedError('merge_setting_invalid', {
      field: 'check.pattern',
      message: compilerFieldMessages.pattern_invalid(pattern),
    })
  return matches
}

function exampleOf(record: BlockRecord, check: FieldCheck, { fields, formats }: CompiledVersion): Example {
  const field = fields.indexOf(check.field)
  const value = cellOf(record, field)
  return {
    sku: record.sku,
    value,
    number_format: formats.ofField(field, record),
    repaired: check.kind === 'check_digit' ? repairedCode(value, check.code) : null,
  }
}
