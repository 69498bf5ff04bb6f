import type { ColumnName } from '../../../contract/remembered-columns/calls.ts'
import type { Row } from '../../../contract/tables.ts'
import type { Db } from '../../platform/db.ts'
import { headerNames } from '../../snapshots/column-names.ts'

/** Columns of a task's origin that are stored under another name. Index: source_column_names_column_idx. */
export const readColumnNames = (db: Db, task_id: number): Promise<ColumnName[]> =>
  db
    .selectFrom('source_column_names')
    .select(['column_name as column', 'read_as'])
    .where('task_id', '=', task_id)
    .orderBy('set_at')
    .execute()

/** A header with the names under which its columns are stored; a name that another column has already stays with that column. */
export function renameColumns(
  header: Row,
  column_names: readonly ColumnName[],
): { header: Row; renamed: ColumnName[] } {
  const names = headerNames(header)
  const taken = new Set(names)
  const renamed: ColumnName[] = []
  const stored = header.map((cell, at) => {
    const found = column_names.find(({ column, read_as }) => column === names[at] && !taken.has(read_as))
    if (found === undefined) return cell
    taken.add(found.read_as)
    renamed.push(found)
    return found.read_as
  })
  return { header: stored, renamed }
}
