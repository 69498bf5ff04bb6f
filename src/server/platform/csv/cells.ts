import type { Cells } from './rows.ts'

// A cell with a tab alone looks blank.
const TAB = 'tab'

/** The cell of a delimiter; blank: none. */
export const delimiterCell = (delimiter: string | null): string =>
  delimiter === '\t' ? TAB : (delimiter ?? '')

/** Readers of cells by column type; undefined: no value. An invalid number or flag stays text, for the contract to reject. */
export const cellReaders = {
  text: (cell: string): unknown => cell,
  /** Multi-line text with any line ending. */
  lines: (cell: string): unknown => cell.replaceAll(/\r\n?/g, '\n'),
  choice: (cell: string): unknown => (isBlank(cell) ? undefined : cell.trim()),
  number: (cell: string): unknown => (isBlank(cell) ? undefined : numberOf(cell)),
  /** A blank cell means null. */
  number_or_none: (cell: string): unknown => (isBlank(cell) ? null : numberOf(cell)),
  flag: (cell: string): unknown =>
    isBlank(cell) ? undefined : (flags.get(cell.trim().toLowerCase()) ?? cell),
  /** JSON; a blank cell means null. Text that is no JSON stays text. */
  json_or_none: (cell: string): unknown => (isBlank(cell) ? null : jsonOf(cell)),
  /** JSON of a list; a blank cell means an empty one. */
  json_list: (cell: string): unknown => (isBlank(cell) ? [] : jsonOf(cell)),
  list: (cell: string): unknown => partsOf(cell),
  /** One line of text; a blank cell means null. */
  text_or_none: (cell: string): unknown => (isBlank(cell) ? null : cell),
  /** A delimiter, a tab by its name; a blank cell means null. */
  delimiter_or_none: (cell: string): unknown =>
    isBlank(cell) ? null : cell.trim().toLowerCase() === TAB ? '\t' : cell.trim(),
  /** One entry per line. */
  line_list: (cell: string): unknown => cell.split(/[\r\n]+/).filter((line) => !isBlank(line)),
  /** A time of day; a blank cell means null. */
  time: (cell: string): unknown => (isBlank(cell) ? null : timeOf(cell.trim())),
  /** Times of day. */
  times: (cell: string): unknown => partsOf(cell).map(timeOf),
}

/** A column type. */
export type CellKind = keyof typeof cellReaders

/**
 * A row of a file as the body of a call, for the contract to validate. Missing columns, and blank cells where blank
 * is not a value, are omitted.
 */
export function readCells(fields: Readonly<Record<string, CellKind>>, cells: Cells): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(fields)) {
    const cell = cells[name]
    const value = cell === undefined ? undefined : cellReaders[kind](cell)
    if (value !== undefined) body[name] = value
  }
  return body
}

const isBlank = (cell: string) => cell.trim() === ''

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

const partsOf = (cell: string) => cell.split(',').flatMap((part) => part.trim() || [])

// Spreadsheets may save whole numbers with decimals as displayed; a comma and three zeros are thousands.
const numberOf = (cell: string) =>
  /^\d{1,15}(?:\.0+|,00?)?$/.test(cell.trim()) ? Number(cell.replace(',', '.')) : cell

// Spreadsheets write booleans in capitals and in their own language.
const flags = new Map([
  ['true', true],
  ['wahr', true],
  ['vrai', true],
  ['waar', true],
  ['false', false],
  ['falsch', false],
  ['faux', false],
  ['onwaar', false],
])

// Spreadsheets treat a lone 04:00 as a time, and may save it as 4:00, 04:00:00 or 04:00:00 AM.
function timeOf(part: string): string {
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2})(?::00)?(?: ([AP])M)?$/i.exec(part) ?? []
  if (hour === undefined) return part
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return `${String(hours).padStart(2, '0')}:${minute}`
}
