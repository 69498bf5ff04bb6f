import type { ConnectionTest } from '../../contract/connections/calls.ts'
import type { Row } from '../../contract/tables.ts'

/** The columns of a sample with the type of their values; blank cells are ignored. */
export function columnTypes(header: Row, sample: readonly Row[]): ConnectionTest['columns'] {
  return header.map((name, column) => ({
    name: String(name ?? ''),
    type: typeOf(sample.map((row) => row[column] ?? '')),
  }))
}

function typeOf(cells: readonly Row[number][]): ConnectionTest['columns'][number]['type'] {
  const types = new Set(cells.filter((cell) => cell !== '').map((cell) => typeof cell))
  const [type] = types
  if (types.size > 1) return 'mixed'
  if (type === 'number' || type === 'boolean') return type
  return type === 'string' ? 'text' : 'blank'
}
