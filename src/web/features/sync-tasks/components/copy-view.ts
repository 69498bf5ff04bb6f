import type { CellValue } from '../../../../contract/sync-tasks.ts'
import type { CopyView } from '../api.ts'

/** Which columns and which order an address asks for; columns that do not exist are left out, none means the default. */
export function readCopyView(
  params: URLSearchParams,
  {
    available_columns,
    default_selected_columns,
  }: { available_columns: string[]; default_selected_columns: string[] },
): CopyView {
  const asked = new Set(params.getAll('column'))
  const columns = available_columns.filter((column) => asked.has(column))
  const sort = params.get('sort')
  return {
    columns: columns.length > 0 ? columns : default_selected_columns,
    sort: sort !== null && available_columns.includes(sort) ? sort : null,
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** The address part of a view; the default columns are not written out. */
export function writeCopyView(
  { columns, sort, order }: CopyView,
  default_columns: string[],
): URLSearchParams {
  const params = new URLSearchParams()
  if (JSON.stringify(columns) !== JSON.stringify(default_columns))
    for (const column of columns) params.append('column', column)
  if (sort !== null) {
    params.set('sort', sort)
    if (order === 'desc') params.set('order', 'desc')
  }
  return params
}

/** The view after a click on a column's head: up, then down, then by row again. */
export function nextSort({ sort, order, columns }: CopyView, column: string): CopyView {
  if (sort !== column) return { columns, sort: column, order: 'asc' }
  return order === 'asc' ? { columns, sort, order: 'desc' } : { columns, sort: null, order: 'asc' }
}

type Row = Record<string, CellValue>

/** A cell as it is shown. */
export const cellText = (value: CellValue | undefined) =>
  value === null || value === undefined
    ? ''
    : typeof value === 'boolean'
      ? String(value).toUpperCase()
      : String(value)

/** Width in pixels and side of each column, judged by the first rows. */
export function layoutOf(
  columns: string[],
  rows: Row[],
): { column: string; width: number; numeric: boolean }[] {
  const sample = rows.slice(0, 100)
  return columns.map((column) => {
    const values = sample.map((row) => row[column]).filter((value) => value !== null && value !== undefined)
    const longest = Math.max(column.length + 3, ...values.map((value) => cellText(value).length))
    const numbers = values.filter((value) => typeof value === 'number').length
    return {
      column,
      width: Math.min(320, Math.max(84, longest * 8.4 + 26)),
      numeric: numbers * 2 > values.length,
    }
  })
}
