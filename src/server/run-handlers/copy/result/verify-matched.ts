import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, WrittenCells } from '../../../connectors/connector.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import { RunFailure } from '../../../engine/types.ts'
import { snapshotTexts } from '../../../snapshots/snapshot.ts'
import { arrangeTables, type Matched, nothingToRestore, type Restored } from '../arrange/arrange-tables.ts'
import { placePlanned } from '../arrange/place-planned.ts'
import { type PutBack, rowsToPutBack } from '../arrange/put-back.ts'
import type { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'
import type { StoredPlan } from '../plan/stored-plan.ts'
import type { Tables } from '../read/read-tables.ts'
import { applyChange } from '../write/write-difference.ts'

/** Times that rows are matched anew after a commit. */
const MAX_ROUNDS = 4

/**
 * What a commit to matched rows was to do. `before`: the target's rows before it; `again` arranges the wanted rows anew, after rows were put
 * back that the commit wrote over.
 */
type Commit = {
  before: TargetRows
  isOthers: (row: number) => boolean
  written: Omit<WrittenCells, 'target_rows'>
  again: (restore: (now: TargetRows) => Restored) => Promise<Arranged>
}

/** `copy`: the rows that the target is to hold. `prefetch`: those that it holds. */
type Arranged = Pick<Tables, 'copy'> & { prefetch: TargetRows } & Partial<Pick<Tables, 'matched' | 'plan'>>

/**
 * Verifies a target whose rows were matched and which is not as the commit was to leave it, because somebody sorted or edited it meanwhile:
 * matches its rows anew, puts back cells of other people that the commit wrote over, and writes what is still missing. Throws RunFailure if
 * the target keeps changing.
 */
export async function verifyMatched(
  attempt: CopyAttempt,
  tables: Tables,
  commitOf: (wanted: (row: number) => Row) => Commit,
): Promise<Difference> {
  const { context, keeper } = attempt
  const { target, owned_columns } = tables
  const wanted = await rowsOf(attempt, tables)
  const { before, isOthers, written, again } = commitOf(wanted)
  let found: CellPlace[] = []
  for (let round = 1; ; round += 1) {
    const restore = (now: TargetRows): Restored => {
      if (round > 1) return nothingToRestore(now)
      const isStaged = keeper.value.commit?.mode === 'staged'
      const { width } = before
      const known = { length: now.length, row: (row: number) => now.row(row).slice(0, width) }
      const { rows, cells } = rowsToPutBack({ before, wanted, now: known, isOthers, written, isStaged })
      found = cells
      const restored = new Map(
        [...rows].map(([row, { cells }]) => {
          const unknown = now.row(row).slice(width)
          return [row, unknown.length === 0 ? cells : [...padded(cells, width), ...unknown]]
        }),
      )
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
    const arranged = await again(restore)
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

const padded = (cells: Row, length: number): Row =>
  Array.from({ length }, (_, column) => cells[column] ?? null)

/** The commit of a run that has matched the rows itself. */
export const commitOfRun = (attempt: CopyAttempt, tables: Tables & { matched: Matched }) => (): Commit => {
  const { source, held: before, isOthers, written } = tables.matched
  const again: Commit['again'] = (restore) =>
    arrangeTables(attempt, { ...tables, copy: source }, restore, tables.copy)
  return { before, isOthers, written, again }
}

/** The commit of a run that writes a plan of matched rows. */
export const commitOfPlan =
  (
    attempt: CopyAttempt,
    tables: Tables,
    plan: StoredPlan & { written: Commit['written'] },
    before: TargetRows,
  ) =>
  (wanted: (row: number) => Row): Commit => {
    const { written } = plan
    const changesOf = (row: number) => {
      const [former, planned] = [before.row(row), wanted(row)]
      return written.columns.filter((column) => (former[column] ?? null) !== (planned[column] ?? null))
    }
    const again: Commit['again'] = async (restore) => {
      const { written: now, ...placed } = await placePlanned(
        attempt,
        { ...tables, before, written, wanted, changesOf, isVersion: plan.restores !== null },
        restore,
      )
      return { ...placed, plan: { ...plan, written: now } }
    }
    return { before, isOthers: (row) => changesOf(row).length === 0, written, again }
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
