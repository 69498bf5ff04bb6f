import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { toFileDate } from './cell-values.ts'
import type { CellStyles } from './number-formats.ts'
import { refusal } from './refusal.ts'
import { encodeText } from './xml-text.ts'

/** Characters that a cell of Excel can have, in UTF-16 units. */
const MAX_CHARACTERS = 32_767

/** What all cells of a sheet have in common. */
export type CellFrame = { prefix: string; styles: Pick<CellStyles, 'isDate'>; countsFrom1904: boolean }

/** A cell with a value; '' for a blank cell without a style. Throws OriginFailure for a text that is too long. */
export function cellXml(
  address: string,
  value: CellValue,
  style: number,
  { prefix, styles, countsFrom1904 }: CellFrame,
): string {
  const start = `<${prefix}c r="${address}"${style === 0 ? '' : ` s="${style}"`}`
  const end = `</${prefix}v></${prefix}c>`
  switch (typeof value) {
    case 'number': {
      const number = styles.isDate(style) ? toFileDate(value, countsFrom1904) : value
      return `${start}><${prefix}v>${number}${end}`
    }
    case 'boolean':
      return `${start} t="b"><${prefix}v>${value ? 1 : 0}${end}`
    case 'string':
      return `${start} t="inlineStr"><${prefix}is><${prefix}t xml:space="preserve">${textOf(address, value)}</${prefix}t></${prefix}is></${prefix}c>`
    default:
      return style === 0 ? '' : `${start}/>`
  }
}

/** A cell with a formula, which has no value until the workbook is computed. */
export function formulaXml(address: string, formula: string, style: number, prefix: string): string {
  const start = `<${prefix}c r="${address}"${style === 0 ? '' : ` s="${style}"`}`
  return `${start}><${prefix}f>${encodeText(formula)}</${prefix}f></${prefix}c>`
}

function textOf(address: string, text: string): string {
  if (text.length > MAX_CHARACTERS)
    throw refusal(fileMessages.text_too_long(address, text.length), 'too_large')
  return encodeText(text)
}
