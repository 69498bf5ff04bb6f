import type { FieldCheck, FieldRule, RuleStep } from './field-checks.ts'

/** Kinds of checks, as forms offer them. */
export const checkLabels: Readonly<Record<FieldCheck['kind'], string>> = {
  required: 'is filled',
  type: 'has a type',
  range: 'is within a range',
  length: 'has a length',
  one_of: 'is one of a list',
  one_of_column: 'is in a column of a source',
  pattern: 'matches a pattern',
  check_digit: 'has a valid check digit',
  amount: 'is a number with a unit',
  unique: 'is unique',
  compare: 'compared with a field',
  median: 'median since last compile',
}

type TypeName = (FieldCheck & { kind: 'type' })['type']

/** Types of values. */
export const typeLabels: Readonly<Record<TypeName, string>> = {
  number: 'a number',
  integer: 'a whole number',
  date: 'a date',
  boolean: 'true or false',
  url: 'a web address',
  email: 'an e-mail address',
  image_url: 'the web address of an image',
}

/** Kinds of codes with check digits. */
export const codeLabels = { gtin: 'GTIN', ean: 'EAN', upc: 'UPC', isbn: 'ISBN' } as const

/** Operators of comparisons. */
export const compareLabels = {
  '<': 'less than',
  '<=': 'at most',
  '=': 'equal to',
  '!=': 'different from',
  '>=': 'at least',
  '>': 'more than',
} as const

/** Notations of numbers. */
export const localeLabels = {
  en: '1,234.50 (English)',
  de: '1.234,50 (German)',
  fr: '1 234,50 (French)',
  'de-CH': '1’234.50 (Swiss)',
} as const

/** Severities of checks. */
export const severityLabels = { error: 'Error', warning: 'Warning' } as const

/** What happens to values that fail. */
export const keepOutLabels = {
  none: 'Keep the value',
  last_good: 'Keep the last good value',
  blank: 'Leave it blank',
} as const

const VALUES_SHOWN = 5

const bounds = ({ min, max }: { min: number | null; max: number | null }) =>
  min === null ? `at most ${max}` : max === null ? `at least ${min}` : `between ${min} and ${max}`

function listed(values: readonly string[]): string {
  const shown = values.slice(0, VALUES_SHOWN).map((value) => `‘${value}’`)
  const more = values.length - shown.length
  return more > 0 ? `${shown.join(', ')} or ${more} more` : shown.join(', ')
}

function requirement(check: FieldCheck): string {
  switch (check.kind) {
    case 'required':
      return 'must be filled'
    case 'type':
      return `must be ${typeLabels[check.type]}`
    case 'range':
      return `must be ${bounds(check)}`
    case 'length':
      return `must have ${bounds(check)} characters`
    case 'one_of':
      return `must be one of ${listed(check.values)}`
    case 'one_of_column':
      return `must be in the column ‘${check.column}’ of its list`
    case 'pattern':
      return `must match ${check.pattern}`
    case 'check_digit':
      return `must be ${check.code === 'ean' || check.code === 'isbn' ? 'an' : 'a'} ${codeLabels[check.code]} with a valid check digit`
    case 'amount':
      return `must be a number as in ${localeLabels[check.locale]}${check.units.length > 0 ? ` in ${listed(check.units)}` : ''}`
    case 'unique':
      return 'must be unique'
    case 'compare':
      return `must be ${compareLabels[check.operator]} ${check.other_field}`
    case 'median':
      return `must have a median within ${check.percent} % of the last compile`
  }
}

const KEPT_OUT = {
  none: '',
  last_good: ' The value was kept out: the last good value stays, if there is one.',
  blank: ' The value was kept out.',
} as const

/** What a check demands, as a sentence. */
export const checkSentence = (check: FieldCheck): string => `${check.field} ${requirement(check)}.`

/** What is wrong with a record that fails a check, and what happened to its value. */
export const failureSentence = (check: FieldCheck): string =>
  `${checkSentence(check)}${KEPT_OUT[check.keep_out]}`

/** A check with its consequence, for the history of settings. */
export const checkText = (check: FieldCheck): string =>
  `${check.field} ${requirement(check)} (${[check.severity, ...(check.keep_out === 'none' ? [] : [keepOutLabels[check.keep_out].toLowerCase()])].join(', ')})`

/** Kinds of normalisation, as forms offer them. */
export const stepLabels: Readonly<Record<RuleStep['kind'], string>> = {
  trim: 'Remove extra blanks',
  case: 'Change case',
  number: 'Text to number',
  amount: 'Split number and unit',
  zeros: 'Restore leading zeros',
  date: 'Text to date',
  map: 'Replace values',
}

/** Cases of letters. */
export const caseLabels = { upper: 'UPPER CASE', lower: 'lower case', title: 'Title Case' } as const

/** Orders of the parts of dates. */
export const dateOrderLabels = {
  dmy: 'day.month.year',
  mdy: 'month/day/year',
  ymd: 'year-month-day',
} as const

/** What remains of a number with a unit. */
export const partLabels = { number: 'the number', unit: 'the unit' } as const

function stepText(step: RuleStep): string {
  switch (step.kind) {
    case 'trim':
      return 'extra blanks removed'
    case 'case':
      return caseLabels[step.to]
    case 'number':
      return `number as in ${localeLabels[step.locale]}`
    case 'amount':
      return `${partLabels[step.part]} of ${localeLabels[step.locale]}`
    case 'zeros':
      return `leading zeros of ${codeLabels[step.code]} restored`
    case 'date':
      return `date as in ${dateOrderLabels[step.order]}`
    case 'map':
      return step.values.map(({ from, to }) => `‘${from}’ → ‘${to}’`).join(', ')
  }
}

/** A rule with its steps in order. */
export const ruleText = ({ field, steps }: FieldRule): string => `${field}: ${steps.map(stepText).join(', ')}`
