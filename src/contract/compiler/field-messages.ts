import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

/** Validation messages of a compiler configuration. */
export const compilerFieldMessages = {
  // settings of a configuration
  field_blank: 'A field needs a name',
  field_twice: 'A field is listed twice',
  fields_many: `At most ${limits.compiled_fields_max.toLocaleString('en')} fields`,
  group_small: 'A group needs at least two fields',
  field_in_groups: 'A field is in two groups',
  priority_in_group: (field: string, other: string) =>
    `${quoted(field)} and ${quoted(other)} move together: only one of them may have sources of its own`,
  column_twice: 'A column of a source is listed twice',
  column_names_many: `At most ${limits.column_names_max.toLocaleString('en')} columns may have another name`,

  // checks and normalisation
  check_kind: 'Unknown kind of check',
  step_kind: 'Unknown step',
  checks_many: `At most ${limits.field_checks_max} checks`,
  values_many: `At most ${limits.check_values_max.toLocaleString('en')} values`,
  values_missing: 'Enter at least one value',
  bounds: 'Enter a minimum, a maximum or both; the minimum must not be above the maximum',
  approval_percent: 'Enter a whole number from 0 to 100, or leave it blank',
  stale_days: `Enter a whole number of days from 1 to ${limits.stale_days_max.toLocaleString('en')}, or leave it blank`,
  pattern_missing: 'Enter a pattern',
  pattern_invalid: (pattern: string) => `${quoted(pattern)} is not a valid RE2 expression`,
  cannot_keep_out: 'Values that are compared across all records cannot be kept out',
  from_blank: 'Enter the value to replace',
  steps_missing: 'Choose at least one step',
  steps_many: `At most ${limits.rule_steps_max} steps`,

  // adding and editing
  master_required: 'Choose a master source',
  source_twice: 'A source is listed twice',
  sources_many: `At most ${limits.compiler_sources_max} sources`,
} as const
