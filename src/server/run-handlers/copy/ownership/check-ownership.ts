import type { Row } from '../../../../contract/tables.ts'
import type { ReadableTarget } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { type StoredSnapshot, snapshotRows } from '../../../snapshots/snapshot.ts'
import { count } from '../../messages.ts'
import type { Definition } from '../definition.ts'
import { ownershipConflict } from '../result/messages.ts'
import type { UnownedCells, UnownedCellsFinder } from './unowned-cells.ts'

const MAX_SHOWN_COLUMNS = 20

type Deps = {
  context: RunContext
  definition: Definition
  target: ReadableTarget
  /** Whether this run may have written to the target already. */
  mayHaveWritten: boolean
}

/** Rows that the target may contain: those of the last run or those that this run wrote. */
type Rows = Pick<StoredSnapshot, 'id' | 'row_count'> | null

/**
 * Fails the run if it would overwrite unowned cells, unless a user approved overwriting exactly these cells. Each finder checks
 * against one set of rows that the target may contain; the cells are unowned only if every finder reports some. Throws RunFailure
 * after storing the finding for the task's page. A preview does neither and returns the finding; null: there is none.
 */
export async function checkOwnership(
  { context, definition, target, mayHaveWritten }: Deps,
  finders: readonly { finder: UnownedCellsFinder; previousRows: Rows }[],
): Promise<UnownedCells | null> {
  let found: UnownedCells | null = null
  for (const { finder, previousRows } of finders) {
    const finding = await finder.finding(() => rowsOf(context, previousRows))
    if (finding === null) return null
    found ??= finding
  }
  if (found === null || definition.preview) return found
  const { hash, cells } = found
  const columns = found.columns.slice(0, MAX_SHOWN_COLUMNS).map(({ column }) => target.columnName(column))
  if (hash === definition.replace) {
    const names = columns.join(', ')
    await context.log(
      'INFO',
      `Replacing ${count(cells, 'cell')} in ${names} of ${target.title}, as approved on the task’s page.`,
    )
    return null
  }
  const { id: run_id, task_id } = context.run
  await context.transaction((trx) =>
    trx
      .updateTable('sync_tasks')
      .set({ foreign_cells: JSON.stringify({ run_id, columns, cells, hash, plan: definition.plan }) })
      .where('task_id', '=', task_id)
      .execute(),
  )
  const details = { start_row: definition.start_row, name: target.columnName, mayHaveWritten }
  throw new RunFailure(ownershipConflict(target.title, found, details), { retryable: false })
}

async function* rowsOf({ db }: RunContext, rows: Rows): AsyncGenerator<Row[]> {
  if (rows) yield* snapshotRows(db, rows.id, 1, rows.row_count + 1)
}
