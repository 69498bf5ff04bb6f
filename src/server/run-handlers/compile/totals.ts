import { sql } from 'kysely'
import type { FieldCheck } from '../../../contract/field-checks/field-checks.ts'
import type { Db } from '../../platform/db.ts'
import { countRows, matchingRows, rowNumbers } from '../../snapshots/bit-sets.ts'
import { RowSet } from '../../snapshots/row-set.ts'
import type { Disagreements } from './rules/disagreements.ts'
import type { Failure } from './rules/field-judge.ts'
import type { MergedRecord } from './rules/merged-record.ts'
import type { OverrideFinding } from './rules/record-overrides.ts'
import { readFailures } from './storage/failures.ts'
import type { PreviousRecords } from './storage/previous-records.ts'

type Sets = { has_blanks: Buffer; has_errors: Buffer; is_duplicate: Buffer }

const names = ['has_blanks', 'has_errors', 'is_duplicate'] as const

/** Counts of the records so far, and sets of those that were added or changed or have a flag. */
export class Totals {
  records = 0
  readonly added = new RowSet()
  readonly changed = new RowSet()
  /** Rows of the previous version whose SKU no source has any more. */
  gone = new RowSet()
  /** For each source the number of rows without a SKU. */
  without_sku: number[] = []
  /** Bit set of unchanged records that a user has removed: their rows are copied, too. */
  removed: Buffer = Buffer.alloc(0)
  /** Records that fail a check, by its number. */
  failures = new Map<number, RowSet>()
  /** Medians by the number of their check. */
  medians = new Map<number, number | null>()
  /** What was found about the overrides of merged records. */
  overrides: readonly OverrideFinding[] = []
  /** Where the sources of merged records disagree. */
  disagreements: Pick<Disagreements, 'listed' | 'disputes'> = { listed: [], disputes: [] }
  readonly #flagged = { has_blanks: new RowSet(), has_errors: new RowSet(), is_duplicate: new RowSet() }

  /** Starts with the flags and failed checks of records that are copied or shared; null: there are none. */
  static async after(
    db: Db,
    unchanged: PreviousRecords | null,
    checks: readonly FieldCheck[],
  ): Promise<Totals> {
    const totals = new Totals()
    if (unchanged === null) return totals
    const { rows } = await sql<Sets>`
      select has_blanks, has_errors, is_duplicate from compiled_versions where snapshot_id = ${unchanged.version_id}`.execute(
      db,
    )
    totals.records = unchanged.records
    totals.removed = unchanged.removed
    for (const set of rows)
      for (const name of names)
        for (const row_no of rowNumbers(without(set[name], unchanged.removed), {
          offset: 0,
          limit: unchanged.records,
        }))
          totals.#flagged[name].add(row_no - 1)
    Object.assign(totals, await readFailures(db, unchanged.version_id, checks))
    return totals
  }

  add(record: MergedRecord): void {
    this.records += 1
    for (const name of names) if (record[name]) this.#flagged[name].add(record.row_no - 1)
    for (const failure of record.failures) this.#addFailure(failure)
    if (record.previous === null) this.added.add(record.row_no - 1)
    else if (!record.previous.is_same) this.changed.add(record.row_no - 1)
  }

  #addFailure({ check_no, row_no, is_error }: Failure): void {
    const failed = this.failures.get(check_no) ?? new RowSet()
    this.failures.set(check_no, failed)
    failed.add(row_no - 1)
    if (is_error) this.#flagged.has_errors.add(row_no - 1)
  }

  /** The records with each flag, as bit sets. */
  get sets(): Sets {
    const bytes = Math.ceil(this.records / 8)
    const { has_blanks, has_errors, is_duplicate } = this.#flagged
    return {
      has_blanks: has_blanks.bits.subarray(0, bytes),
      has_errors: has_errors.bits.subarray(0, bytes),
      is_duplicate: is_duplicate.bits.subarray(0, bytes),
    }
  }

  /** The receipt's counts. */
  counts() {
    const { sets } = this
    const flagged = names.map((name) => ({ set: sets[name], wanted: false }))
    return {
      records: this.records - countRows(this.removed),
      clean: countRows(matchingRows(this.records, [...flagged, { set: this.removed, wanted: false }])),
      added: this.added.size,
      changed: this.changed.size,
      gone: this.gone.size,
      blanks: countRows(sets.has_blanks),
      errors: countRows(sets.has_errors),
      duplicates: countRows(sets.is_duplicate),
    }
  }
}

const without = (set: Buffer, removed: Buffer) => Buffer.from(set.map((byte, n) => byte & ~(removed[n] ?? 0)))
