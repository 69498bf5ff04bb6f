import type { Row } from '../../../contract/tables.ts'
import type { Target } from '../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../engine/types.ts'
import { type StoredSnapshot, snapshotRows } from '../../snapshots/snapshot.ts'
import { count } from '../sentences.ts'
import type { Definition } from './definition.ts'
import type { ForeignCellsFinder } from './foreign-cells.ts'
import { foreignSentence } from './sentences.ts'

const SHOWN_COLUMNS = 20

type Deps = {
  context: RunContext
  definition: Definition
  target: Target
  /** What the last run left, or this one has just written. */
  last: Pick<StoredSnapshot, 'id' | 'row_count'> | null
  /** Whether this run has written already. */
  written?: boolean
}

/**
 * Ends the run where it would write over cells of somebody else's, unless a person has said yes to exactly these. Throws RunFailure,
 * and keeps what was found for the task's page.
 */
export async function checkOwnership(
  { context, definition, target, last, written = false }: Deps,
  finder: ForeignCellsFinder,
): Promise<void> {
  const found = await finder.finding(() => rowsOf(context, last))
  if (found === null) return
  const { hash, cells } = found
  const columns = found.columns.slice(0, SHOWN_COLUMNS).map(({ column }) => target.columnName(column))
  if (hash === definition.replace) {
    const names = columns.join(', ')
    await context.log(
      'INFO',
      `Replacing ${count(cells, 'cell')} in ${names} of ${target.title}, as was asked for.`,
    )
    return
  }
  const { id: run_id, task_id } = context.run
  await context.transaction((trx) =>
    trx
      .updateTable('sync_tasks')
      .set({ foreign_cells: JSON.stringify({ run_id, columns, cells, hash }) })
      .where('task_id', '=', task_id)
      .execute(),
  )
  const told = { start_row: definition.start_row, name: target.columnName, written }
  throw new RunFailure(foreignSentence(target.title, found, told), { retryable: false })
}

async function* rowsOf({ db }: RunContext, last: Deps['last']): AsyncGenerator<Row[]> {
  if (last) yield* snapshotRows(db, last.id, 1, last.row_count + 1)
}
