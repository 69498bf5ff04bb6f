import { type Condition, type Filter, type Operator, valueKinds } from './conditions.ts'
import type { ChosenColumn, Completeness, ExtraColumn, SortColumn } from './row-settings.ts'

/** Operators in words, as forms offer them. */
export const operatorLabels: Readonly<Record<Operator, string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  begins_with: 'begins with',
  one_of: 'is one of',
  blank: 'is blank',
  not_blank: 'is not blank',
  less: 'is less than',
  at_most: 'is at most',
  at_least: 'is at least',
  greater: 'is more than',
  on: 'is on',
  before: 'is before',
  after: 'is after',
}

/** Extra columns in words, as forms offer them. */
export const extraColumnLabels: Readonly<Record<ExtraColumn['kind'], string>> = {
  constant: 'The same text in each row',
  source_name: 'Name of the source',
  row_number: 'Row number in the source',
  run_time: 'Time of the run',
}

function conditionText({ column, operator, values }: Condition): string {
  const isText = ['text', 'list'].includes(valueKinds[operator])
  const shown = values.map((value) => (isText ? `‘${value}’` : value)).join(', ')
  return [column, operatorLabels[operator], shown].filter(Boolean).join(' ')
}

/** A filter as a sentence part: Stock is more than 0 and Brand is ‘Acme’. */
export const filterText = ({ match, conditions }: Filter): string =>
  conditions.map(conditionText).join(match === 'all' ? ' and ' : ' or ')

/** Needed fields in words: all copied fields · only complete. */
export const completenessText = ({ fields, only_complete }: Completeness): string =>
  `${fields === null ? 'all copied fields' : fields.join(', ') || 'no field yet'}${only_complete ? ' · only complete' : ''}`

/** A chosen column, with its name in the target if that differs. */
export const columnText = ({ source, name }: ChosenColumn): string =>
  source === name ? source : `${source} as ${name}`

export const sortText = ({ column, descending }: SortColumn): string =>
  descending ? `${column}, largest first` : column

export const extraColumnText = (column: ExtraColumn): string =>
  column.kind === 'constant'
    ? `${column.name} = ‘${column.value}’`
    : `${column.name} = ${extraColumnLabels[column.kind].toLowerCase()}`
