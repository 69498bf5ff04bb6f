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

/** `pattern` absent means the locale's own pattern for that type. */
export interface NumberFormat {
  readonly type: NumberFormatType
  readonly pattern?: string
}

/**
 * A cell's userEnteredFormat: only the properties that somebody has set; beside them its validation, which goes where the format
 * goes. Never changed in place.
 */
export interface CellFormat {
  readonly numberFormat?: NumberFormat
  /** DataValidationRule of the API. */
  readonly dataValidation?: Json
  readonly [property: string]: unknown
}

/** The format `before` once somebody pastes `from` onto it: validation and look go together or apart. */
export function styled(
  before: CellFormat,
  from: { readonly dataValidation?: Json | undefined; readonly [property: string]: unknown },
  part: 'PASTE_FORMAT' | 'PASTE_DATA_VALIDATION',
): CellFormat {
  const look = part === 'PASTE_FORMAT' ? from : before
  const { dataValidation } = part === 'PASTE_FORMAT' ? before : from
  const { dataValidation: _, ...format } = look
  return dataValidation ? { ...format, dataValidation } : format
}

/** The distinct formats of one spreadsheet. Grows only, so that drafts and committed states can share it. */
export class FormatTable {
  readonly #formats: CellFormat[] = [{}]
  readonly #ids = new Map<string, number>([['{}', 0]])

  /** Number of that format; 0 is "no format". Formats with the same JSON get the same number. */
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
