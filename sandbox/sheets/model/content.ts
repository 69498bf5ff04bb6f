/** Plain value of a cell: text, number (dates are serial numbers from 1899-12-30) or boolean. */
export type Scalar = string | number | boolean

/** A formula as entered, with leading `=`. The calculator evaluates it. */
export class Formula {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ERROR_TYPES = {
  '#NULL!': 'NULL_VALUE',
  '#DIV/0!': 'DIVIDE_BY_ZERO',
  '#VALUE!': 'VALUE',
  '#REF!': 'REF',
  '#NAME?': 'NAME',
  '#NUM!': 'NUM',
  '#N/A': 'N_A',
  '#ERROR!': 'ERROR',
  'Loading...': 'LOADING',
} as const

export type ErrorText = keyof typeof ERROR_TYPES

export function isErrorText(text: string): text is ErrorText {
  return Object.hasOwn(ERROR_TYPES, text)
}

/** An error value such as #N/A; `text` is the displayed text. */
export class CellError {
  readonly text: ErrorText
  readonly message: string | undefined

  constructor(text: ErrorText, message?: string) {
    this.text = text
    this.message = message
  }

  get type() {
    return ERROR_TYPES[this.text]
  }
}

/** Stored content of a cell. `null` is blank; empty text is never stored. */
export type Content = Scalar | Formula | CellError | null

/** Displayed value of a cell after evaluation. */
export type Result = Scalar | CellError | null

/** A typed cell from demo data, the page or .xlsx. */
export type CellValue = Scalar | { formula: string } | { error: ErrorText } | null

export function contentOf(value: CellValue): Content {
  if (value === null || value === '') return null
  if (typeof value !== 'object') return value
  return 'formula' in value ? new Formula(value.formula) : new CellError(value.error)
}

export function typedValue(content: Content): CellValue {
  if (content instanceof Formula) return { formula: content.text }
  if (content instanceof CellError) return { error: content.text }
  return content
}
