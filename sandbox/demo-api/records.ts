import type { Rows } from '../demo/catalogue.ts'

type Value = string | number | boolean | null
/** A row as a JSON object, nested at dots in its headings. */
export type DemoRecord = { [field: string]: Value | DemoRecord }

/** API field names for the headings of the demo catalogue. */
const FIELDS: Record<string, string> = {
  'Listed since': 'listed_since',
  'Weight (kg)': 'weight_kg',
  'On hand': 'on_hand',
  'Next delivery': 'next_delivery',
  'Lead time': 'lead_time_days',
  Price: 'price.amount',
}

/** Day 0 of spreadsheet dates, in days since 1970-01-01. */
const DAY_ZERO = -25_569
const DAY_MS = 86_400_000

/** Converts rows below a header to values by field. Lookup errors become null. */
export function recordsOf([header = [], ...rows]: Rows): { fields: string[]; values: Value[][] } {
  const fields = header.map((name) => FIELDS[String(name)] ?? String(name).toLowerCase())
  return { fields, values: rows.map((row) => row.map(plain)) }
}

/** Converts values by field name to a nested JSON object. */
export function nested(fields: readonly string[], values: readonly Value[]): DemoRecord {
  const record: DemoRecord = {}
  for (const [index, field] of fields.entries()) {
    const [outer = '', inner] = field.split('.')
    const value = values[index] ?? null
    record[outer] = inner === undefined ? value : { [inner]: value, currency: 'EUR' }
  }
  return record
}

/** Formats one CSV line. */
export const csvLine = (values: readonly Value[]): string => {
  const cells = values.map((value) => String(value ?? ''))
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\r\n`
}

function plain(cell: Rows[number][number]): Value {
  if (typeof cell !== 'object' || cell === null) return cell
  if (!('value' in cell)) return null
  const { value, format } = cell
  if (format.numberFormat.type !== 'DATE' || typeof value !== 'number') return plain(value)
  return new Date((value + DAY_ZERO) * DAY_MS).toISOString().slice(0, 10)
}
