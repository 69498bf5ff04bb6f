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

/** A cell's userEnteredFormat: only the properties that somebody has set. Never changed in place. */
export interface CellFormat {
  readonly numberFormat?: NumberFormat
  readonly [property: string]: unknown
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
