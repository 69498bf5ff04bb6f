/** A cell by its link, by task, row and column, or by configuration, SKU and field. */
export type CellOf =
  | { link: string }
  | { task_id: number; row: number; column?: string }
  | { compiler_config_id: number; sku: string; field?: string }

/** Path of the page that says where a cell comes from. */
export function lineagePath(cell: CellOf): string {
  const params = new URLSearchParams(
    Object.entries(cell).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `/lineage?${params}`
}
