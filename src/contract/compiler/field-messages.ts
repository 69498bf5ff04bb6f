import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

/** Texts of the checks of a compiler configuration. */
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

  // adding and editing
  master_required: 'Choose a master source',
  source_twice: 'A source is listed twice',
  sources_many: `At most ${limits.compiler_sources_max} sources`,
} as const
