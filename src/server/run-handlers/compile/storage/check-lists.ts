import { sql } from 'kysely'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import { limits } from '../../../../contract/limits.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { Db } from '../../../platform/db.ts'
import { columnNames, resolveName } from '../../../snapshots/column-names.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import type { CheckList } from '../rules/compile-plan.ts'
import { READ_BY_KEY } from './row-queries.ts'

type Column = Pick<FieldCheck & { kind: 'one_of_column' }, 'source_task_id' | 'column'>

/**
 * The values that `one_of_column` checks accept, by the number of the check: those in the current rows of their source. Throws
 * RunFailure if a source has no rows or no such column, or too many values.
 */
export async function readCheckLists(db: Db, checks: readonly FieldCheck[]): Promise<Map<number, CheckList>> {
  const lists = new Map<number, CheckList>()
  for (const [check_no, check] of checks.entries())
    if (check.kind === 'one_of_column') lists.set(check_no, await readList(db, check))
  return lists
}

async function readList(db: Db, { source_task_id, column }: Column): Promise<CheckList> {
  const source = await db
    .selectFrom('tasks')
    .innerJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
    .select(['tasks.name', 'snapshots.id', 'snapshots.columns'])
    .where('tasks.id', '=', source_task_id)
    .executeTakeFirst()
  const refuse = (reason: string) =>
    new RunFailure(`A check needs the column ‘${column}’ of ${reason}`, { retryable: false })
  if (source === undefined || !(await pinSnapshot(db, source.id)))
    throw refuse('a source that has no data yet. Run that source first.')
  const names = columnNames(source.columns)
  const at = names.indexOf(resolveName(new Set(names), column))
  if (at < 0) throw refuse(`‘${source.name}’, which has no such column.`)
  const rows = await valuesOf(db, source.id, at)
  if (rows.length > limits.check_list_max)
    throw refuse(
      `‘${source.name}’, which has more than ${limits.check_list_max.toLocaleString('en')} values.`,
    )
  return { snapshot_id: source.id, values: new Set(rows.map(({ value }) => value)) }
}

const valuesOf = (db: Db, snapshot_id: number, column: number): Promise<{ value: string }[]> =>
  db.transaction().execute(async (trx) => {
    await sql.raw(READ_BY_KEY).execute(trx)
    const { rows } = await sql<{ value: string }>`
      select distinct cells ->> ${sql.lit(column)} as value from snapshot_rows
      where snapshot_id = ${snapshot_id} and cells ->> ${sql.lit(column)} <> '' limit ${limits.check_list_max + 1}`.execute(
      trx,
    )
    return rows
  })
