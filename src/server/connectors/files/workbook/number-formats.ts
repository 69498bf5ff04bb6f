import { getFormatInfo } from 'numfmt'
import type { NumberFormat } from '../../../../contract/tables.ts'
import { readPart } from './package-parts.ts'
import { attribute } from './xml-text.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Formats that a workbook names by number only. Those of 5 to 8 and 41 to 44 follow the locale's currency; here as in English. */
const BUILT_IN: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0_);\\(#,##0\\)',
  38: '#,##0_);[Red]\\(#,##0\\)',
  39: '#,##0.00_);\\(#,##0.00\\)',
  40: '#,##0.00_);[Red]\\(#,##0.00\\)',
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
}

/** Dates as the locale writes them, which is a format without a pattern: 14, and those of East Asian versions. */
const LOCALE_DATES = new Set([14, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58])
const LOCALE_TIMES = new Set([32, 33, 55, 56])

const TYPES: Partial<Record<ReturnType<typeof getFormatInfo>['type'], string>> = {
  date: 'DATE',
  time: 'TIME',
  datetime: 'DATE_TIME',
  currency: 'CURRENCY',
  percent: 'PERCENT',
  scientific: 'SCIENTIFIC',
  text: 'TEXT',
  number: 'NUMBER',
  grouped: 'NUMBER',
  fraction: 'NUMBER',
}

/** The format that a workbook has under a number; null: general. `own`: the pattern that the workbook defines for it. */
function numberFormat(id: number, own: string | undefined): NumberFormat | null {
  if (own === undefined && LOCALE_DATES.has(id)) return { type: 'DATE' }
  if (own === undefined && LOCALE_TIMES.has(id)) return { type: 'TIME' }
  const pattern = own ?? BUILT_IN[id]
  return pattern === undefined ? null : formatOfPattern(pattern)
}

/** The format of a pattern; null: general, or a pattern that only hides or labels a value. */
export function formatOfPattern(pattern: string): NumberFormat | null {
  // Without codes of languages and without colours, which say nothing about the kind of value.
  const plain = pattern.replaceAll(
    /\[\$-[^[\]]*\]|\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/gi,
    '',
  )
  if (plain === '' || /^general$/i.test(plain)) return null
  const type = TYPES[getFormatInfo(plain).type]
  if (type === undefined) return null
  // The library misses quoted and bare signs.
  return { type: type === 'NUMBER' && /[$€£¥]/.test(plain) ? 'CURRENCY' : type, pattern }
}

/** Formats by type without a pattern: those that follow the locale, or Google's defaults. */
const TYPE_IDS: Record<string, number> = {
  NUMBER: 4,
  PERCENT: 10,
  CURRENCY: 7,
  DATE: 14,
  TIME: 21,
  DATE_TIME: 22,
  SCIENTIFIC: 11,
  TEXT: 49,
}

const IDS = new Map(Object.entries(BUILT_IN).map(([id, pattern]) => [pattern, Number(id)]))

/** The number under which every workbook has a format; null: it has to be defined. */
export const builtInId = (format: NumberFormat | null): number | null => {
  if (format === null) return 0
  return format.pattern === undefined ? (TYPE_IDS[format.type] ?? 0) : (IDS.get(format.pattern) ?? null)
}

/** A date, with or without a time of day; not a time or a duration. */
export const isDateFormat = (format: NumberFormat | null): boolean =>
  format?.type === 'DATE' || format?.type === 'DATE_TIME'

/** What a cell's number means, by the index of its style. */
export class CellStyles {
  readonly #formats: readonly (NumberFormat | null)[]

  constructor(formats: readonly (NumberFormat | null)[]) {
    this.#formats = formats
  }

  get count(): number {
    return this.#formats.length
  }

  format(style: number): NumberFormat | null {
    return this.#formats[style] ?? null
  }

  isDate(style: number): boolean {
    return isDateFormat(this.format(style))
  }
}

/** Reads the number formats of all styles. Throws OriginFailure. */
export async function readStyles(zip: ZipArchive, part: string): Promise<CellStyles> {
  const own = new Map<number, string>()
  const formats: (NumberFormat | null)[] = []
  const known = new Map<number, NumberFormat | null>()
  let isInCells = false
  await readPart(zip.source(part), {
    open(name, tag, closes) {
      if (name === 'numFmt') own.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '')
      else if (name === 'cellXfs') isInCells = !closes
      else if (name === 'xf' && isInCells) {
        const id = Number(attribute(tag, 'numFmtId') ?? 0)
        if (!known.has(id)) known.set(id, numberFormat(id, own.get(id)))
        formats.push(known.get(id) ?? null)
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return new CellStyles(formats)
}
