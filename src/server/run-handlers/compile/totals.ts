import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { countRows, matchingRows, rowNumbers } from '../../snapshots/bit-sets.ts'
import { RowSet } from '../../snapshots/row-set.ts'
import type { MergedRecord } from './rules/merged-record.ts'
import type { PreviousRecords } from './sources.ts'

type Sets = { has_blanks: Buffer; has_errors: Buffer; is_duplicate: Buffer }

const names = ['has_blanks', 'has_errors', 'is_duplicate'] as const

/** What has been merged so far: how many records there are, and which have which flag. */
export class Totals {
  records = 0
  readonly added = new RowSet()
  readonly changed = new RowSet()
  /** Of the compile before: what has not been found any more. */
  gone = new RowSet()
  /** Of each source how many rows have no SKU. */
  without_sku: number[] = []
  /** Of the records that were there, those that a person has removed: their rows stay where they are. */
  removed: Buffer = Buffer.alloc(0)
  readonly #flagged = { has_blanks: new RowSet(), has_errors: new RowSet(), is_duplicate: new RowSet() }

  /** Begins with the records that stay; null: with none. */
  static async after(db: Db, kept: PreviousRecords | null): Promise<Totals> {
    const totals = new Totals()
    if (kept === null) return totals
    const { rows } = await sql<Sets>`
      select has_blanks, has_errors, is_duplicate from compiled_versions where snapshot_id = ${kept.version_id}`.execute(
      db,
    )
    totals.records = kept.records
    totals.removed = kept.removed
    for (const set of rows)
      for (const name of names)
        for (const row_no of rowNumbers(without(set[name], kept.removed), { offset: 0, limit: kept.records }))
          totals.#flagged[name].add(row_no - 1)
    return totals
  }

  /** Takes in the record that follows. */
  add(record: MergedRecord): void {
    this.records += 1
    for (const name of names) if (record[name]) this.#flagged[name].add(record.row_no - 1)
    if (record.before === null) this.added.add(record.row_no - 1)
    else if (!record.before.is_same) this.changed.add(record.row_no - 1)
  }

  /** The records that have each flag, a bit for each. */
  get sets(): Sets {
    const bytes = Math.ceil(this.records / 8)
    const { has_blanks, has_errors, is_duplicate } = this.#flagged
    return {
      has_blanks: has_blanks.bits.subarray(0, bytes),
      has_errors: has_errors.bits.subarray(0, bytes),
      is_duplicate: is_duplicate.bits.subarray(0, bytes),
    }
  }

  /** The counts of a receipt. */
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
