import type { Json } from './json.ts'

export const NUMBER_FORMAT_TYPES = [
  'TEXT',
  'NUMBER',
  'PERCENT',
  'CURRENCY',
  'DATE',
  'TIME',
  'DATE_TIME',
  'SCIENTIFIC',
] as const

export type NumberFormatType = (typeof NUMBER_FORMAT_TYPES)[number]

/** Without `pattern` the default of the locale is used. */
export interface NumberFormat {
  readonly type: NumberFormatType
  readonly pattern?: string
}

/** Immutable userEnteredFormat of a cell: only explicitly set properties, and data validation, which moves with the format. */
export interface CellFormat {
  readonly numberFormat?: NumberFormat
  /** DataValidationRule of the API. */
  readonly dataValidation?: Json
  readonly [property: string]: unknown
}

/** Format after pasting `from` onto `before`: validation and appearance, or only one of them. */
export function styled(
  before: CellFormat,
  from: { readonly dataValidation?: Json | undefined; readonly [property: string]: unknown },
  part: 'PASTE_FORMAT' | 'PASTE_DATA_VALIDATION',
): CellFormat {
  const appearance = part === 'PASTE_FORMAT' ? from : before
  const { dataValidation } = part === 'PASTE_FORMAT' ? before : from
  const { dataValidation: _, ...format } = appearance
  return dataValidation ? { ...format, dataValidation } : format
}

/** Distinct formats of one spreadsheet. Append-only, so that drafts and committed states can share it. */
export class FormatTable {
  readonly #formats: CellFormat[] = [{}]
  readonly #ids = new Map<string, number>([['{}', 0]])

  /** Number of a format; 0 means no format. Formats with equal JSON share a number. */
  intern(format: CellFormat): number {
    const key = JSON.stringify(format)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    this.#formats.push(format)
    this.#ids.set(key, this.#formats.length - 1)
    return this.#formats.length - 1
  }

  get(id: number): CellFormat {
    return this.#formats[id] ?? {}
  }

  all(): readonly CellFormat[] {
    return this.#formats
  }
}
