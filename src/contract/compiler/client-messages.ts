import { formatted, measured } from '../counted.ts'
import type { RecordChangeKind } from './changes.ts'

const counted = (count: number, word: string) => `${formatted(count)} ${count === 1 ? word : `${word}s`}`

type MedianCount = { median: number | null; percent: number; checked: number; records: number }

type Example = { sku: string; text: string; repaired: string | null }
type FailureCount = { failed: number; checked: number; records: number; first: readonly Example[] }

const example = ({ sku, text, repaired }: Example) =>
  `${sku} (${text === '' ? 'blank' : text}${repaired === null ? '' : `, perhaps ${repaired}`})`

/** Texts of the compiler screens. */
export const compilerMessages = {
  no_schedule: 'None: compiled by hand, or with its pipeline',

  // wording of the specification
  save_failed: 'Error saving configuration',
  compile_failed: 'Error during compilation. Check console for details.',
  delete_record_failed: 'Error deleting record.',
  clear_failed: (reason: string) => `Error clearing compiled data: ${reason}`,
  no_data_to_export: 'No data to export.',
  export_unchosen: 'Please select a configuration to export its data.',
  export_failed: 'Failed to export compiled data to CSV',

  // configurations
  none_yet: 'No configuration yet',
  none_yet_hint:
    'A configuration merges the rows of several source tasks into one record per SKU: the values of its master win, the others fill what is blank.',
  search_configs: 'Search configurations',
  search_configs_hint: 'Search by name, source or tag',
  no_config_matches: 'No configuration matches these filters',
  created: 'Configuration created',
  updated: 'Configuration updated',
  deleted: 'Configuration deleted',
  delete_failed: 'Failed to delete configuration',
  confirm_delete: (name: string) =>
    `Delete “${name}”? Its compiled records, its log and its run history are lost. Its source tasks are not changed.`,
  missing: 'Configuration not found.',
  sources_hint:
    'The master’s values win; the others fill what it leaves blank, from the top. Drag them into their order.',
  no_rows_yet: 'No rows yet',
  fetch_sources_failed: 'Failed to load source tasks',
  required_hint:
    'Completeness counts these fields, and a record has blanks where one of them is blank. None: all fields count.',
  groups_hint:
    'All fields of a group come from one row of one source, never mixed: a price with its currency and its unit.',
  priorities_hint:
    'For these fields other sources win than the order above says. Sources that are not named follow in that order.',
  columns_hint:
    'A column of a source that means the same under another name. Read as SKU, it holds the SKUs of that source.',

  checks_hint:
    'A record that fails a check is flagged. Errors count as errors of the record; a value that fails can be kept out.',
  rules_hint:
    'Steps that change the values of a field before it is merged and checked. The rows of the sources do not change.',
  counting: 'Counting the records that fail…',
  count_failed: 'Failed to count the records that fail',
  check_count: ({ failed, checked, records, first }: FailureCount) =>
    [
      `${formatted(failed)} of ${counted(checked, 'record')} of the last compile ${failed === 1 ? 'fails' : 'fail'}${checked < records ? ` (the first of ${formatted(records)})` : ''}`,
      first.map(example).join(', '),
    ]
      .filter(Boolean)
      .join(': '),

  check_median: ({ median, percent, checked, records }: MedianCount) =>
    median === null
      ? 'The last compile has no numbers in this field.'
      : `The median of the last compile is ${measured(median)}${checked < records ? ` (the first ${formatted(checked)} of ${formatted(records)} records)` : ''}. The next compile warns below ${measured(median - (Math.abs(median) * percent) / 100)} and above ${measured(median + (Math.abs(median) * percent) / 100)}.`,

  // preview
  preview_hint:
    'The first records as these settings merge them, from the current rows of the sources. Nothing is saved.',
  previewing: 'Merging the first records…',
  preview_failed: 'Failed to create the preview',
  preview_old: 'The settings have changed. Preview again to see the result.',
  preview_records: (count: number, master: string) =>
    `The first ${counted(count, 'record')}. Values come from ${master}, the master, where no other source is named.`,

  // compiling
  compiled: (rows: number, skus: number) =>
    `Compiled ${counted(rows, 'row')} into ${counted(skus, 'unique SKU')}.`,
  compiled_waits: (skus: number) =>
    `The compile with ${counted(skus, 'SKU')} needs approval. The records are as before until then.`,
  compile_goes_on: 'The compile continues. Its progress is shown beside the configuration.',
  compile_new: 'Add new SKUs only',
  compile_new_hint: 'Existing records are not changed',
  stop_failed: 'Failed to stop the compile',
  states_failed: 'Failed to load the status of the configurations',
  receipt: (rows: number, sources: number, fields: number) =>
    `${counted(rows, 'row')} of ${counted(sources, 'source')}, ${counted(fields, 'field')}`,

  // quality
  quality_failed: 'Failed to load the quality of the records',
  incomplete: 'Incomplete for a target',
  disagreeing: 'Sources disagree',
  failed_check: (number: number) => `Fails check ${number}`,
  median_moved: (before: string, now: string) => `Median moved from ${before} to ${now}`,
  median: (now: string) => `Median ${now}`,
  first_compile: 'This was the first compile: what changes is shown after the next one.',
  moves_of: (count: number) => `Counted in the first ${counted(count, 'changed record')}.`,
  unmatched_failed: 'Failed to load the SKUs that are missing from the master',
  unmatched_hint: 'Click the matching master SKU. It applies from the next compile on.',
  unmatched_same: 'Filled buttons differ only in case, dashes, blanks or leading zeros.',
  none_unmatched: 'The master has every SKU',
  no_candidates: 'No similar SKU in the master',
  taken_for: (sku: string) => `${sku} from the next compile on`,
  mapped: (sku: string, master_sku: string) => `${sku} is ${master_sku} from the next compile on`,
  unmapped: (sku: string) => `${sku} is no longer mapped`,
  map_failed: 'Failed to map this SKU',
  mappings_failed: 'Failed to load the mapped SKUs',
  mappings_hint: 'A removed mapping no longer applies from the next compile on.',
  lone_columns_failed: 'Failed to load the columns that only one source has',
  lone_columns_hint:
    'A supplier may use another name for a field. Click the matching field: its values are merged into it from the next compile on.',
  no_lone_columns: 'Every column is in more than one source',
  no_sku_column: (sources: readonly string[]) =>
    `${sources.join(', ')} cannot be compiled without a SKU column: choose the column to read as SKU.`,
  named: (column: string, field: string) => `${column} is read as ${field} from the next compile on`,
  unnamed: (column: string) => `${column} keeps its name`,
  name_failed: 'Failed to rename this column',

  // changes
  changes_title: (name: string) => `Changes of ${name}`,
  changes_hint: 'What the last compile changed against the one before it.',
  waiting_changes_hint: 'What the compile that needs approval would change.',
  compile_waits: 'A compile needs approval',
  records_wait: (records: number, when: string) => `${counted(records, 'record')} of ${when} wait.`,
  accept_records: 'Accept the records',
  discard_records: 'Discard them',
  decision_failed: 'Failed to save the decision',
  stale: 'Unchanged sources',
  stale_hint: 'A compile warns of each source whose rows have stayed the same for this long.',
  stale_days: 'Warn after this many days without a change',
  stale_after: (days: number) => `after ${days === 1 ? '1 day' : `${formatted(days)} days`}`,
  stale_never: 'never',
  stale_now: (names: readonly string[], of: number) =>
    names.length === 0
      ? `Now of none of ${counted(of, 'source')}.`
      : `Now of ${formatted(names.length)} of ${counted(of, 'source')}: ${names.join(', ')}.`,
  approval: 'Needs approval',
  approval_hint:
    'A compile that changes or removes more than this share of the records waits until someone accepts it.',
  approval_percent: 'More than this share of the records, in percent',
  no_approval: 'never',
  approval_beyond: (percent: number) => `beyond ${percent}%`,
  changes_failed: 'Failed to load the changes',
  see_changes: 'See each change',
  no_changes: 'The last compile changed nothing',
  no_changes_found: 'No change matches',
  more_changes: 'Show more',
  none_so_far: 'None of the first 5,000 changed records matches. Show more to look further.',
  change_kinds: { gone: 'Gone', changed: 'Changed', added: 'Added' } satisfies Record<
    RecordChangeKind,
    string
  >,
  causes: 'Changed fields by source',
  no_source: 'No source',

  // records
  stats_failed: 'Failed to load the record counts',
  records_failed: 'Failed to load compiled records',
  record_failed: 'Failed to load this record',
  not_in_master: 'Not in the master',
  in_master: 'In the master',
  blank_field: (field: string) => `${field} is blank`,
  filled_by: (source: string, field?: string) =>
    field === undefined ? `Filled by ${source}` : `${field} from ${source}`,
  source_numbered: (id: string) => `source task ${id}`,
  since_last: {
    added: 'Added since the previous compile',
    changed: 'Changed since the previous compile',
    gone: 'Removed since the previous compile',
  },
  none_compiled: 'Nothing compiled yet',
  none_compiled_hint: 'Compile the configuration, and its records appear here.',
  none_found: 'No record matches',
  none_found_hint: 'Change or remove the filters.',
  choose_config: 'Choose a configuration to see its records.',
  record_deleted: (sku: string) => `Record ${sku} deleted`,
  confirm_delete_record: (sku: string) =>
    `Delete the record of “${sku}”? The next compile brings it back as long as a source has it.`,
  confirm_clear: (count: number, name: string) =>
    `${count === 1 ? 'The only record' : `All ${counted(count, 'record')}`} of “${name}” ${count === 1 ? 'is' : 'are'} deleted. The next compile creates ${count === 1 ? 'it' : 'them'} again; until then, tasks that read this configuration find no records.`,
  type_delete: 'Type DELETE to confirm',
  cleared: (count: number) => `${counted(count, 'compiled record')} deleted`,
  sources_gone: (names: readonly string[]) =>
    `The compiled rows of ${names.join(', ')} are no longer stored: newer rows have replaced them.`,
  raw: (text: string) => `In the source: ${text === '' ? 'blank' : text}`,
  replace_value: (field: string) => `Replace this value of ${field}`,
  replace_hint: (text: string) => `“${text}” becomes this from the next compile on, in all records.`,
  replaced: (from: string, to: string) => `“${from}” becomes “${to}” from the next compile on`,
  replace_failed: 'Failed to replace this value',
  copied: (field: string) => `Copied ${field}`,
  copy_failed: 'The browser did not allow copying',
  no_field_found: 'No field matches',
} as const
