import { sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import { countRows, matchingRows } from '../../snapshots/bit-sets.ts'
import { takeRows } from '../../snapshots/snapshot.ts'
import type { Flags } from './merge.ts'
import type { CurrentRecords } from './sources.ts'

type Sets = { has_blanks: Buffer; has_errors: Buffer; is_duplicate: Buffer }

const names = ['has_blanks', 'has_errors', 'is_duplicate'] as const

/** What slices have come to so far: how many records there are, and which have which flag. */
export class Totals {
  records = 0
  added = 0
  changed = 0
  gone = 0
  /** Of the records that were there, those that a person has removed: their rows stay where they are. */
  removed: Buffer = Buffer.alloc(0)
  sets: Sets = { has_blanks: Buffer.alloc(0), has_errors: Buffer.alloc(0), is_duplicate: Buffer.alloc(0) }

  /** Begins with the records that stay, which are copied into the new version as they are; null: with none. */
  static async after(trx: Trx, kept: CurrentRecords | null, into: number): Promise<Totals> {
    const totals = new Totals()
    if (kept === null) return totals
    await takeRows(trx, kept.snapshot_id, into, kept.records)
    await sql`insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at)
      select ${into}::int, row_no, sku, found_in, twice_in, field_sources, created_at, updated_at
      from compiled_records where snapshot_id = ${kept.snapshot_id}`.execute(trx)
    const { rows } = await sql<Sets>`
      select has_blanks, has_errors, is_duplicate from compiled_versions where snapshot_id = ${kept.version_id}`.execute(
      trx,
    )
    totals.records = kept.records
    totals.removed = kept.removed
    if (rows[0]) for (const name of names) totals.sets[name] = without(rows[0][name], kept.removed)
    return totals
  }

  /** Takes in the flags of the `count` records that follow. */
  add(flags: Flags, count: number): void {
    for (const name of names) this.sets[name] = joined(this.sets[name], this.records, flags[name])
    this.records += count
    this.added += flags.added
    this.changed += flags.changed
  }

  /** The counts of a receipt. */
  counts() {
    const { added, changed, gone, sets } = this
    const flagged = names.map((name) => ({ set: sets[name], wanted: false }))
    return {
      records: this.records - countRows(this.removed),
      clean: countRows(matchingRows(this.records, [...flagged, { set: this.removed, wanted: false }])),
      added,
      changed,
      gone,
      blanks: countRows(sets.has_blanks),
      errors: countRows(sets.has_errors),
      duplicates: countRows(sets.is_duplicate),
    }
  }
}

// The second set begins at bit `at` of the whole.
function joined(set: Buffer, at: number, more: Buffer): Buffer {
  const shift = at & 7
  const whole = Buffer.alloc(Math.ceil(at / 8) + more.length + 1)
  set.copy(whole)
  for (const [n, byte] of more.entries()) {
    const place = (at >> 3) + n
    const shifted = byte << shift
    whole[place] = (whole[place] ?? 0) | (shifted & 0xff)
    whole[place + 1] = (whole[place + 1] ?? 0) | (shifted >> 8)
  }
  return whole
}

const without = (set: Buffer, removed: Buffer) => Buffer.from(set.map((byte, n) => byte & ~(removed[n] ?? 0)))
