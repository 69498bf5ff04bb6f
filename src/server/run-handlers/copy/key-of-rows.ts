import type { Row } from '../../../contract/tables.ts'
import type { KeyColumn } from '../../plans/row-changes.ts'
import { headerName } from '../../snapshots/column-names.ts'
import { type Definition, keyColumn } from './definition.ts'

/**
 * The columns by which rows of the copy are the same as rows of the target: the key columns of the task, else the column that must be
 * unique, else the SKU of compiled records. Null: there is none, or the header row has none of them.
 */
export function keyOfRows(
  definition: Pick<
    Definition,
    'key_columns' | 'limits' | 'source_type' | 'more_sources' | 'columns' | 'excluded_fields'
  >,
  header: Row,
): KeyColumn {
  const names = header.map(headerName)
  const find = (headers: readonly string[]): number[] | null => {
    const columns = headers.map((name) => names.indexOf(headerName(name)))
    return columns.length > 0 && !columns.includes(-1) ? columns : null
  }
  const { key_columns, limits } = definition
  return find(key_columns) ?? find([limits?.unique_column ?? []].flat()) ?? keyColumn(definition)
}
