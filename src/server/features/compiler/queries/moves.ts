import type { z } from 'zod'
import type { RecordChange } from '../../../../contract/compiler/changes.ts'
import type { QualityMoves } from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { rowNumbers } from '../../../snapshots/bit-sets.ts'
import { type ChangedRecord, eachChanged } from './changed-records.ts'
import { fieldChanges } from './field-changes.ts'
import { versionSet } from './flags.ts'
import type { CompiledVersion } from './version.ts'

const MOVES_OF_A_SOURCE = 3
const RECORDS_LOOKED_AT = 20_000
const MOST_CAUSES = 50

type Moves = z.infer<typeof QualityMoves>
type Move = Moves['moves'][number] & { size: number }
type Cause = Moves['causes'][number]

/** Finds the largest changes of numbers since the previous compile, and what was changed by which source, within the first changed records. */
export async function largestMoves(
  db: Db,
  version: CompiledVersion,
  earlier: CompiledVersion,
): Promise<Moves> {
  const row_nos = rowNumbers(await versionSet(db, version, 'changed_rows'), {
    offset: 0,
    limit: RECORDS_LOOKED_AT,
  })
  const best = new Map<number, Move[]>()
  const causes = new Map<string, Cause>()
  for await (const records of eachChanged(db, { version, earlier }, row_nos))
    for (const record of records)
      for (const change of fieldChanges(record, { version, earlier })) {
        count(causes, change)
        const move = moveOf(change, record, version)
        if (move === null) continue
        const id = move.source.source_task_id
        best.set(
          id,
          [...(best.get(id) ?? []), move].sort((a, b) => b.size - a.size).slice(0, MOVES_OF_A_SOURCE),
        )
      }
  return {
    moves: [...best.values()].flat().map(({ size: _, ...move }) => move),
    moves_of: row_nos.length,
    causes: [...causes.values()].sort((a, b) => b.records - a.records).slice(0, MOST_CAUSES),
  }
}

function count(causes: Map<string, Cause>, { field, sources }: RecordChange): void {
  if (field === null) return
  const source = sources[0] ?? null
  const key = JSON.stringify([source?.source_task_id, field])
  const cause = causes.get(key) ?? { source, field, records: 0 }
  causes.set(key, { ...cause, records: cause.records + 1 })
}

/** The change of a number that a source fills; null: it is none. */
function moveOf(
  { sku, field, before, after, sources: [source] }: RecordChange,
  { now: { source_rows } }: ChangedRecord,
  { sources }: CompiledVersion,
): Move | null {
  const [from, to] = [before.value, after.value]
  if (typeof to !== 'number' || typeof from !== 'number' || field === null || !source) return null
  const size = Math.abs(to - from) / Math.max(Math.abs(to), Math.abs(from))
  const row = source_rows[sources.findIndex(({ task_id }) => task_id === source.source_task_id)]
  return { source, field, sku, from, to, ...(row !== undefined && { row }), size }
}
