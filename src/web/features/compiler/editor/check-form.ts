import {
  type CheckKind,
  canKeepOut,
  FieldCheck,
  type RuleStep,
} from '../../../../contract/field-checks/field-checks.ts'

type Common = Pick<FieldCheck, 'field' | 'severity' | 'keep_out'>

const NEW: Common = { field: '', severity: 'error', keep_out: 'none' }

const checks: { [Kind in CheckKind]: (common: Common) => FieldCheck & { kind: Kind } } = {
  required: (common) => ({ ...common, kind: 'required' }),
  type: (common) => ({ ...common, kind: 'type', type: 'number' }),
  range: (common) => ({ ...common, kind: 'range', min: 0, max: null }),
  length: (common) => ({ ...common, kind: 'length', min: null, max: 100 }),
  one_of: (common) => ({ ...common, kind: 'one_of', values: [] }),
  one_of_column: (common) => ({ ...common, kind: 'one_of_column', source_task_id: 0, column: '' }),
  pattern: (common) => ({ ...common, kind: 'pattern', pattern: '' }),
  check_digit: (common) => ({ ...common, kind: 'check_digit', code: 'gtin' }),
  amount: (common) => ({ ...common, kind: 'amount', locale: 'en', units: [] }),
  unique: (common) => ({ ...common, kind: 'unique' }),
  compare: (common) => ({ ...common, kind: 'compare', operator: '<=', other_field: '' }),
  median: (common) => ({ ...common, kind: 'median', percent: 20 }),
}

/** A check of this kind with its default arguments, and the field, severity and consequence of the check that it replaces. */
export const newCheck = (kind: CheckKind, { field, severity, keep_out }: Common = NEW): FieldCheck =>
  checks[kind]({ field, severity, keep_out: canKeepOut(kind) ? keep_out : 'none' })

/** Whether a line has been added and not been filled in. Such lines are not sent. */
export const isUntouched = ({ field, kind }: FieldCheck): boolean => field === '' && kind === 'required'

/** What is wrong with a line; null: nothing. */
export const checkError = (check: FieldCheck): string | null =>
  isUntouched(check) ? null : (FieldCheck.safeParse(check).error?.issues[0]?.message ?? null)

const steps: { [Kind in RuleStep['kind']]: RuleStep & { kind: Kind } } = {
  trim: { kind: 'trim' },
  case: { kind: 'case', to: 'upper' },
  number: { kind: 'number', locale: 'de' },
  amount: { kind: 'amount', locale: 'de', part: 'number' },
  zeros: { kind: 'zeros', code: 'gtin' },
  date: { kind: 'date', order: 'dmy' },
  map: { kind: 'map', values: [{ from: '', to: '' }] },
}

/** A step of this kind with its default arguments. */
export const newStep = (kind: RuleStep['kind']): RuleStep => steps[kind]
