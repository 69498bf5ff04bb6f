/** Which of the stored rows are shown, and how: all by row number, or sorted by a column. */
export type TableView = { columns: string[]; sort: string | null; order: 'asc' | 'desc' }

/** Which columns and which order an address asks for; columns that do not exist are left out, none means the default. */
export function readTableView(
  params: URLSearchParams,
  {
    available_columns,
    default_selected_columns,
  }: { available_columns: string[]; default_selected_columns: string[] },
): TableView {
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
export function writeTableView(
  { columns, sort, order }: TableView,
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
export function nextSort({ sort, order, columns }: TableView, column: string): TableView {
  if (sort !== column) return { columns, sort: column, order: 'asc' }
  return order === 'asc' ? { columns, sort, order: 'desc' } : { columns, sort: null, order: 'asc' }
}
