type Cell = string | number | boolean | null

/** A source of a merge: its columns as they are read, one of them the SKU's, its rows, and SKUs that it calls otherwise. */
export type PlainSource = { columns: string[]; sku: number; rows: Cell[][]; called?: Record<string, string> }

/** Settings of a merge, with sources by their places: the first source is the master. */
export type PlainSettings = {
  groups: string[][]
  /** By field; a group's is that of one of its fields. */
  priorities: Record<string, number[]>
}

export type PlainRecord = {
  sku: string
  values: Record<string, Cell>
  /** Which source filled a field, counted from 0; fields that are blank are left out. */
  filled_by: Record<string, number>
  found_in: number[]
  twice_in: number[]
  /** The first row with the SKU in each source, counted from 1; 0: there is none. */
  source_rows: number[]
}

const isBlank = (cell: Cell | undefined) =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

/** What a compile has to come to, found the slow and plain way. */
export function plainMerge(
  sources: PlainSource[],
  { groups, priorities }: PlainSettings = { groups: [], priorities: {} },
): { fields: string[]; records: PlainRecord[] } {
  const fields = [
    ...new Set(sources.flatMap(({ columns, sku }) => columns.filter((_, column) => column !== sku))),
  ]
  const records = new Map<string, PlainRecord>()
  for (const [source, { rows, sku: column, called = {} }] of sources.entries())
    for (const [n, row] of rows.entries()) {
      const text = `${row[column] ?? ''}`.trim()
      if (text === '') continue
      const sku = Object.hasOwn(called, text) ? (called[text] ?? '') : text
      const record = records.get(sku) ?? {
        sku,
        values: {},
        filled_by: {},
        found_in: [],
        twice_in: [],
        source_rows: sources.map(() => 0),
      }
      records.set(sku, record)
      if (!record.found_in.includes(source)) {
        record.found_in.push(source)
        record.source_rows[source] = n + 1
      } else if (!record.twice_in.includes(source)) record.twice_in.push(source)
    }
  const alone = fields.filter((field) => !groups.flat().includes(field)).map((field) => [field])
  for (const record of records.values())
    for (const together of [...groups, ...alone]) {
      const first = together.map((field) => priorities[field]).find((order) => order !== undefined) ?? []
      const order = [...first, ...sources.keys()]
      const cellsOf = (source: number) =>
        together.flatMap((field) => {
          const { columns = [], sku, rows = [] } = sources[source] ?? {}
          const column = columns.findIndex((name, place) => name === field && place !== sku)
          const cell = rows[(record.source_rows[source] ?? 0) - 1]?.[column]
          return isBlank(cell) ? [] : [{ field, cell: cell ?? null }]
        })
      const winner = order.find((source) => cellsOf(source).length > 0)
      for (const { field, cell } of winner === undefined ? [] : cellsOf(winner)) {
        record.values[field] = cell
        record.filled_by[field] = winner ?? 0
      }
    }
  return { fields, records: [...records.values()] }
}
