/** Visible columns, search, and order of the stored rows: by row number, or sorted by a column. */
export type TableView = { columns: string[]; search: string; sort: string | null; order: 'asc' | 'desc' }

/** Reads columns and order from the URL; unknown columns are ignored, no columns means the default ones. */
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
    search: params.get('q') ?? '',
    sort: sort !== null && available_columns.includes(sort) ? sort : null,
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  }
}

/** The URL parameters of a view; default columns are omitted. */
export function writeTableView(
  { columns, search, sort, order }: TableView,
  default_columns: string[],
): URLSearchParams {
  const params = new URLSearchParams()
  if (JSON.stringify(columns) !== JSON.stringify(default_columns))
    for (const column of columns) params.append('column', column)
  if (search) params.set('q', search)
  if (sort !== null) {
    params.set('sort', sort)
    if (order === 'desc') params.set('order', 'desc')
  }
  return params
}

/** The view after a click on a column header: ascending, then descending, then by row number. */
export function nextSort(view: TableView, column: string): TableView {
  if (view.sort !== column) return { ...view, sort: column, order: 'asc' }
  return view.order === 'asc' ? { ...view, order: 'desc' } : { ...view, sort: null, order: 'asc' }
}
