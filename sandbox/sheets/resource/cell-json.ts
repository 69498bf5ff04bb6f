import type { JsonBytes } from '../../json-bytes.ts'
import { isWhole, type Mask, select } from '../fields/mask.ts'
import type { CellFormat } from '../model/cell-format.ts'
import { type CellError, type Content, Formula, type Result } from '../model/content.ts'
import { shownText } from '../values/number-format.ts'
import { DEFAULT_FORMAT } from './defaults.ts'

/** Stored data of a cell. */
export interface Cell {
  readonly content: Content
  readonly result: Result
  readonly format: CellFormat
  readonly note: string | undefined
  readonly locale: string
}

/** Serializes cells. */
interface CellWriter {
  cell(json: JsonBytes, cell: Cell): void
  /** Serializes a cell that has only a value. */
  value(json: JsonBytes, value: string | number): void
}

/** Serializes the masked fields of cells; null includes all fields. */
export function cellWriter(mask: Mask | null, locale: string): CellWriter {
  const names = mask ? [...mask.keys()] : Object.keys(FIELDS)
  const fields = names.flatMap((name) => {
    const fieldWriter = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    return fieldWriter ? { key: `"${name}":`, write: fieldWriter(mask?.get(name) ?? WHOLE) } : []
  })
  const textOf = (cell: Cell) => {
    let json = ''
    for (const { key, write } of fields) {
      const value = write(cell)
      if (value !== null) json += json === '' ? key + value : `,${key}${value}`
    }
    return `{${json}}`
  }
  const holding = (value: string | number) =>
    textOf({ content: value, result: value, format: NO_FORMAT, note: undefined, locale })
  // Most cells have only a value, and the JSON around it is constant.
  const around = (value: string | number) =>
    holding(value)
      .split(JSON.stringify(value))
      .map((part) => Buffer.from(part))
  const aroundText = around(ANY_TEXT)
  const aroundNumber = around(ANY_NUMBER)
  const isNumberShown = names.includes('formattedValue')
  return {
    cell: (json, cell) => json.text(textOf(cell)),
    value(json, value) {
      if (typeof value === 'string') {
        for (let at = 0; at < aroundText.length; at++) {
          if (at > 0) json.string(value)
          json.raw(aroundText[at] ?? NOTHING)
        }
      } else if (isNumberShown || !Number.isFinite(value)) {
        json.text(holding(value))
      } else {
        for (let at = 0; at < aroundNumber.length; at++) {
          if (at > 0) json.number(value)
          json.raw(aroundNumber[at] ?? NOTHING)
        }
      }
    },
  }
}

/** True if a cell has neither content nor properties. */
export function isEmptyCell({ content, format, note }: Cell): boolean {
  if (content !== null || note !== undefined) return false
  const { entered, dataValidation } = formatPartsOf(format)
  return !entered && !dataValidation
}

/** Serializes a field with its submask; null if the cell lacks it. */
type FieldWriter = (mask: Mask) => (cell: Cell) => string | null

const WHOLE: Mask = new Map()
const NO_FORMAT: CellFormat = {}
const NOTHING = Buffer.alloc(0)
// Placeholder that cannot occur elsewhere in the JSON.
const ANY_TEXT = '\u0000'
const ANY_NUMBER = 0.123456789

/** Serializers of the fields of CellData. */
const FIELDS: Readonly<Record<string, FieldWriter>> = {
  userEnteredValue: (mask) => {
    const write = valueWriter(mask)
    return ({ content }) => (content === null ? null : write(content))
  },
  effectiveValue: (mask) => {
    const write = valueWriter(mask)
    return ({ result }) => (result === null ? null : write(result))
  },
  formattedValue: () => {
    return ({ result, format, locale }) =>
      result === null ? null : JSON.stringify(shownText(result, format, locale))
  },
  userEnteredFormat: (mask) => {
    const write = formatWriter(mask)
    return ({ format }) => write(formatPartsOf(format).entered)
  },
  effectiveFormat: (mask) => {
    const write = formatWriter(mask)
    return ({ content, format }) => {
      const { entered, effective } = formatPartsOf(format)
      return content !== null || entered ? write(effective) : null
    }
  },
  dataValidation: (mask) => {
    const write = formatWriter(mask)
    return ({ format }) => write(formatPartsOf(format).dataValidation)
  },
  note:
    () =>
    ({ note }) =>
      note === undefined ? null : JSON.stringify(note),
}

/** Serializes ExtendedValues, with a fast path for text and numbers. */
function valueWriter(mask: Mask): (value: Exclude<Content, null>) => string {
  const shows = (name: string) => isWhole(mask) || mask.has(name)
  const texts = shows('stringValue')
  const numbers = shows('numberValue')
  return (value) => {
    if (typeof value === 'string') return texts ? `{"stringValue":${JSON.stringify(value)}}` : '{}'
    if (typeof value === 'number' && Number.isFinite(value))
      return numbers ? `{"numberValue":${value}}` : '{}'
    return JSON.stringify(select(extendedValue(value), mask))
  }
}

function extendedValue(value: number | boolean | Formula | CellError) {
  if (value instanceof Formula) return { formulaValue: value.text }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return { numberValue: value }
  const { type, message } = value
  return { errorValue: { type, ...(message && { message }) } }
}

/** Serializes parts of formats, cached per format. */
function formatWriter(mask: Mask): (part: object | null | undefined) => string | null {
  const known = new Map<object, string>()
  return (part) => {
    if (!part) return null
    let json = known.get(part)
    if (json === undefined) {
      json = JSON.stringify(select(part, mask))
      known.set(part, json)
    }
    return json
  }
}

interface FormatParts {
  readonly entered: object | null
  readonly effective: object
  readonly dataValidation: object | undefined
}

const knownParts = new WeakMap<CellFormat, FormatParts>()

/** The format fields of a reply, cached per format. */
function formatPartsOf(format: CellFormat): FormatParts {
  let known = knownParts.get(format)
  if (!known) {
    const { dataValidation, ...own } = format
    const text = typeof own.textFormat === 'object' ? own.textFormat : {}
    known = {
      entered: Object.keys(own).length > 0 ? own : null,
      effective: { ...DEFAULT_FORMAT, ...own, textFormat: { ...DEFAULT_FORMAT.textFormat, ...text } },
      dataValidation,
    }
    knownParts.set(format, known)
  }
  return known
}
