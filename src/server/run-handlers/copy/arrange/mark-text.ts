import type { CellValue } from '../../../../contract/tables.ts'
import { formatMoment } from '../../../engine/log-entries.ts'

const DATE = '{date}'

/** The text with which rows are marked today, and whether a cell holds such a text of any day. */
export function markText(template: string, now: Date, zone: string) {
  const [before = '', ...rest] = template.split(DATE)
  const after = rest.join(DATE)
  const isOfAnyDay = (text: string) =>
    text.startsWith(before) &&
    text.endsWith(after) &&
    /^\d{4}-\d\d-\d\d$/.test(text.slice(before.length, text.length - after.length))
  return {
    text: template.replaceAll(DATE, formatMoment(now, zone).slice(0, 10)),
    isMark: (cell: CellValue): boolean =>
      typeof cell === 'string' && (rest.length === 0 ? cell === template : isOfAnyDay(cell)),
  }
}
