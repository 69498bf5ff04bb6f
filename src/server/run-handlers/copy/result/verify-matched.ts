import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import { RunFailure } from '../../../engine/types.ts'
import { snapshotTexts } from '../../../snapshots/snapshot.ts'
import { arrangeTables, type Matched, nothingToRestore, type Restored } from '../arrange/arrange-tables.ts'
import { type PutBack, rowsToPutBack } from '../arrange/put-back.ts'
import type { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'
import type { Tables } from '../read/read-tables.ts'
import { applyChange } from '../write/write-difference.ts'

/** Times that rows are matched anew after a commit. */
const MAX_ROUNDS = 4

type MatchedTables = Tables & { matched: Matched }

/**
 * Verifies a target whose rows were matched and which is not as the commit was to leave it, because somebody sorted or edited it meanwhile:
 * matches its rows anew, puts back cells of other people that the commit wrote over, and writes what is still missing. Throws RunFailure if
 * the target keeps changing.
 */
export async function verifyMatched(attempt: CopyAttempt, tables: MatchedTables): Promise<Difference> {
  const { context, keeper } = attempt
  const { target, matched, owned_columns } = tables
  const wanted = await rowsOf(attempt, tables)
  let found: CellPlace[] = []
  for (let round = 1; ; round += 1) {
    const restore = (now: TargetRows): Restored => {
      if (round > 1) return nothingToRestore(now)
      const { held: before, isOthers, written } = matched
      const isStaged = keeper.value.commit?.mode === 'staged'
      const { rows, cells } = rowsToPutBack({ before, wanted, now, isOthers, written, isStaged })
      found = cells
      const restored = new Map([...rows].map(([row, { cells }]) => [row, cells]))
      const isKeyless = ([row, cells]: [number, Row]) => {
        const present = now.row(row)
        return written.keys.some((column) => (cells[column] ?? null) !== (present[column] ?? null))
      }
      return {
        rows: now.with(restored),
        formulas: formulasIn(rows, tables.copy.formulas),
        keyless: new Set([...restored].filter(isKeyless).map(([row]) => row)),
      }
    }
    const arranged = await arrangeTables(attempt, { ...tables, copy: matched.source }, restore, tables.copy)
    const difference = await compare({
      ...{ context, copy: arranged.copy, target, prefetch: arranged.prefetch, before: null, finders: [] },
      ...{ owned_columns, phase: 'Verifying' },
    })
    if (difference.cells_changed === 0) return difference
    if (round === MAX_ROUNDS)
      throw new RunFailure(
        messages.keeps_changing(target.title, differingCells(difference, target.address)),
        {
          retryable: true,
        },
      )
    await context.log('WARNING', messages.moved(target.title, differingCells(difference, target.address)))
    await applyChange(attempt, { ...tables, ...arranged }, difference, {
      ...{ formats: [], rowsAbove: [], isRepair: false },
    })
    if (found.length > 0) {
      const cells = found.map(({ row, column }) => target.address(row, column))
      await context.warn({
        kind: 'sorted',
        subject: target.title,
        message: messages.put_back(target.title, cells),
      })
      found = []
    }
  }
}

/** Cells of the rows that were formulas. `before`: formulas of other people before the commit. */
function formulasIn(rows: PutBack['rows'], before: readonly CellPlace[]): CellPlace[] {
  const byRow = Map.groupBy(before, ({ row }) => row)
  return [...rows].flatMap(([row, from]) =>
    (byRow.get(from.before) ?? []).map(({ column }) => ({ row, column })),
  )
}

/** The rows that the commit was to leave, by number. Read only when the target is not as it was to be. */
async function rowsOf({ context }: CopyAttempt, { copy }: Tables): Promise<(row: number) => Row> {
  const texts: string[] = []
  for await (const page of snapshotTexts(context.db, copy.snapshot_id, 1, copy.fingerprint.rows))
    texts.push(...page)
  return (row) => parseRow(texts[row - 1] ?? '[]')
}
