import type { z } from 'zod'
import type { QualityMoves } from '../../../../contract/compiler/records.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { rowNumbers } from '../../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { type BlockRecord, recordsAt } from '../../../snapshots/record-blocks.ts'
import { versionSet } from './flags.ts'
import type { CompiledVersion } from './version.ts'

const MOVES_OF_A_SOURCE = 3
const RECORDS_LOOKED_AT = 20_000
const RECORDS_AT_A_TIME = 500

type Moves = z.infer<typeof QualityMoves>
type Move = Moves['moves'][number] & { size: number }

/** Finds the largest changes of numbers since the previous compile for each source, within the first changed records. */
export async function largestMoves(
  db: Db,
  version: CompiledVersion,
  earlier: CompiledVersion,
): Promise<Moves> {
  const row_nos = rowNumbers(await versionSet(db, version, 'changed_rows'), {
    offset: 0,
    limit: RECORDS_LOOKED_AT,
  })
  // Position of each field in the previous version; -1 for a new field.
  const before = version.fields.map((field) => earlier.fields.indexOf(field))
  const best = new Map<number, Move[]>()
  for (let first = 0; first < row_nos.length; first += RECORDS_AT_A_TIME) {
    if (!(await pinSnapshot(db, earlier.snapshot_id))) break
    for (const record of await bothTimes(
      db,
      { version, earlier },
      row_nos.slice(first, first + RECORDS_AT_A_TIME),
    ))
      for (const move of movesOf(record, version, before)) {
        const id = move.source.source_task_id
        best.set(
          id,
          [...(best.get(id) ?? []), move].sort((a, b) => b.size - a.size).slice(0, MOVES_OF_A_SOURCE),
        )
      }
  }
  const moves = [...best.values()].flat().map(({ size: _, ...move }) => move)
  return { moves, moves_of: row_nos.length }
}

type Changed = BlockRecord & { cells_before: CellValue[] | undefined }

async function bothTimes(
  db: Db,
  { version, earlier }: { version: CompiledVersion; earlier: CompiledVersion },
  row_nos: readonly number[],
): Promise<Changed[]> {
  const records = await recordsAt(db, version.rows_of, row_nos)
  const rows_before = records.map(({ before_row }) => before_row).filter((row_no) => row_no > 0)
  const before = new Map(
    (await recordsAt(db, earlier.rows_of, rows_before)).map(({ row_no, cells }) => [row_no, cells]),
  )
  return records.map((record) => ({ ...record, cells_before: before.get(record.before_row) }))
}

function* movesOf(
  { sku, field_sources, source_rows, cells, cells_before }: Changed,
  { fields, sources }: CompiledVersion,
  before: readonly number[],
): Generator<Move> {
  for (const [n, field] of fields.entries()) {
    const place = before[n] ?? -1
    const to = cells[n + 1]
    const from = place < 0 ? undefined : cells_before?.[place + 1]
    const number = field_sources[n] ?? 0
    const source = sources[number - 1]
    if (typeof to !== 'number' || typeof from !== 'number' || to === from || !source) continue
    const size = Math.abs(to - from) / Math.max(Math.abs(to), Math.abs(from))
    const row = source_rows[number - 1]
    const said_by = { source_task_id: source.task_id, name: source.name }
    yield { source: said_by, field, sku, from, to, ...(row !== undefined && { row }), size }
  }
}
