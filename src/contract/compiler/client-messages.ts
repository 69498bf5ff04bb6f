import { formatted } from '../counted.ts'

const counted = (count: number, word: string) => `${formatted(count)} ${count === 1 ? word : `${word}s`}`

/** Texts of the screens of the data compiler. */
export const compilerMessages = {
  no_schedule: 'None: compiled by hand, or with its pipeline',

  // word for word as the specification has them
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
  created: 'Configuration created',
  updated: 'Configuration updated',
  deleted: 'Configuration deleted',
  delete_failed: 'Failed to delete configuration',
  confirm_delete: (name: string) =>
    `Delete “${name}”? Its compiled records, its log and its run history are lost. Its source tasks stay as they are.`,
  missing: 'Configuration not found.',
  sources_hint:
    'The master’s values win; the others fill what it leaves blank, from the top. Drag them into their order.',
  no_rows_yet: 'No rows yet',
  fetch_sources_failed: 'Failed to fetch source tasks',
  required_hint:
    'Completeness counts these fields, and a record has blanks where one of them is blank. None: all fields count.',
  groups_hint:
    'All fields of a group come from one row of one source, never mixed: a price with its currency and its unit.',
  priorities_hint:
    'For these fields other sources win than the order above says. Sources that are not named follow in that order.',
  columns_hint:
    'A column of a source that means the same under another name. Read as SKU, it holds the SKUs of that source.',

  // preview
  preview_hint:
    'The first records as these settings merge them, from the current rows of the sources. Nothing is saved.',
  previewing: 'Merging the first records…',
  preview_failed: 'Failed to make the preview',
  preview_old: 'The settings have changed. Preview again to see the result.',
  preview_records: (count: number, master: string) =>
    `The first ${counted(count, 'record')}. Values come from ${master}, the master, where no other source is named.`,

  // compiling
  compiled: (rows: number, skus: number) =>
    `Compiled ${counted(rows, 'row')} into ${counted(skus, 'unique SKU')}.`,
  compile_goes_on: 'The compile goes on. Its progress is shown beside the configuration.',
  compile_new: 'Add new SKUs only',
  compile_new_hint: 'Records that are there stay as they are',
  stop_failed: 'Failed to stop the compile',
  states_failed: 'Failed to load the status of the configurations',
  receipt: (rows: number, sources: number, fields: number) =>
    `${counted(rows, 'row')} of ${counted(sources, 'source')}, ${counted(fields, 'field')}`,

  // quality
  quality_failed: 'Failed to fetch the quality of the records',
  first_compile: 'This was the first compile: what changes is shown after the next one.',
  moves_of: (count: number) => `Numbers were compared in ${counted(count, 'changed record')}.`,
  unmatched_failed: 'Failed to fetch the SKUs that the master does not have',
  unmatched_hint: 'Click the matching master SKU. It applies from the next compile on.',
  unmatched_same: 'The filled ones differ in case, dashes, blanks or leading zeros alone.',
  none_unmatched: 'The master has every SKU',
  no_candidates: 'Nothing near it in the master',
  taken_for: (sku: string) => `${sku} from the next compile on`,
  mapped: (sku: string, master_sku: string) => `${sku} is ${master_sku} from the next compile on`,
  unmapped: (sku: string) => `${sku} stays itself`,
  map_failed: 'Failed to map this SKU',
  mappings_failed: 'Failed to fetch the SKUs that are taken for others',
  mappings_hint: 'What is taken back holds for all compiles from the next one on.',
  lone_columns_failed: 'Failed to fetch the columns that one source alone has',
  lone_columns_hint:
    'A supplier may call a field by a name of its own. Click the matching field: the values are merged into that from the next compile on.',
  no_lone_columns: 'Every column is one that other sources have, too',
  no_sku_column: (sources: readonly string[]) =>
    `${sources.join(', ')} cannot be compiled without a SKU column: say which one is read as SKU.`,
  named: (column: string, field: string) => `${column} is read as ${field} from the next compile on`,
  unnamed: (column: string) => `${column} keeps its name`,
  name_failed: 'Failed to give this column another name',

  // records
  stats_failed: 'Failed to fetch the counts of records',
  records_failed: 'Failed to fetch compiled records',
  record_failed: 'Failed to fetch this record',
  not_in_master: 'Not in the master',
  in_master: 'In the master',
  blank_field: (field: string) => `${field} is blank`,
  filled_by: (source: string, field?: string) =>
    field === undefined ? `Filled by ${source}` : `${field} from ${source}`,
  source_numbered: (id: string) => `source task ${id}`,
  since_last: {
    added: 'Added since the compile before',
    changed: 'Changed since the compile before',
    gone: 'Gone since the compile before',
  },
  none_compiled: 'Nothing compiled yet',
  none_compiled_hint: 'Compile the configuration, and its records appear here.',
  none_found: 'No record matches',
  none_found_hint: 'Change the filters, or take them away.',
  choose_config: 'Choose a configuration to see its records.',
  record_deleted: (sku: string) => `Record ${sku} deleted`,
  confirm_delete_record: (sku: string) =>
    `Delete the record of “${sku}”? The next compile brings it back as long as a source has it.`,
  confirm_clear: (count: number, name: string) =>
    `All ${counted(count, 'record')} of “${name}” are deleted. The next compile makes them anew; until then what fetches them finds nothing.`,
  type_delete: 'Type DELETE to confirm',
  cleared: (count: number) => `${counted(count, 'compiled record')} deleted`,
  sources_gone: (names: readonly string[]) =>
    `What ${names.join(', ')} said is not kept any more: newer rows have replaced those that were compiled.`,
  copied: (field: string) => `Copied ${field}`,
  copy_failed: 'The browser did not let it be copied',
  no_field_found: 'No field matches',
} as const
