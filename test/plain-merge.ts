type Cell = string | number | boolean | null

/** A source of a merge: its columns, one of them the SKU's, and its rows. */
export type PlainSource = { columns: string[]; sku: number; rows: Cell[][] }

export type PlainRecord = {
  sku: string
  values: Record<string, Cell>
  /** Which source filled a field, counted from 0; fields that are blank are left out. */
  filled_by: Record<string, number>
  found_in: number[]
  twice_in: number[]
}

const isBlank = (cell: Cell | undefined) => cell === undefined || cell === null || cell === ''

/** What a compile has to come to, found the slow and plain way: the first source is the master. */
export function plainMerge(sources: PlainSource[]): { fields: string[]; records: PlainRecord[] } {
  const fields = [
    ...new Set(sources.flatMap(({ columns, sku }) => columns.filter((_, column) => column !== sku))),
  ]
  const records = new Map<string, PlainRecord>()
  for (const [source, { columns, sku: skuColumn, rows }] of sources.entries())
    for (const row of rows) {
      const sku = `${row[skuColumn] ?? ''}`.trim()
      if (sku === '') continue
      const record = records.get(sku) ?? { sku, values: {}, filled_by: {}, found_in: [], twice_in: [] }
      records.set(sku, record)
      if (record.found_in.includes(source)) {
        if (!record.twice_in.includes(source)) record.twice_in.push(source)
        continue
      }
      record.found_in.push(source)
      for (const [column, field] of columns.entries()) {
        const cell = row[column]
        if (column === skuColumn || isBlank(cell) || field in record.filled_by) continue
        record.values[field] = cell ?? null
        record.filled_by[field] = source
      }
    }
  return { fields, records: [...records.values()] }
}
