/** Checks of the settings that choose rows and columns. */
export const rowFieldMessages = {
  column_required: 'Choose a column',
  no_value: 'This condition takes no value',
  one_value: 'This condition takes one value',
  values_required: 'Enter at least one value',
  number_required: (value: string) => `‘${value}’ is not a number. Write it as 1234.5`,
  date_required: (value: string) => `‘${value}’ is not a date. Write it as 2026-11-27`,
  source_twice: (name: string) => `The column ‘${name}’ is chosen twice`,
  name_twice: (name: string) => `Two columns would be called ‘${name}’ in the target`,
  column_name_required: 'A column of the target needs a name',
  columns_required: 'Choose at least one column, or copy all',
  fields_required: 'Name at least one field',
  sort_twice: (name: string) => `The rows are sorted by ‘${name}’ twice`,
} as const

/** Checks of the settings that say how rows come into the target. */
export const writeFieldMessages = {
  header_required: 'Enter the header of a column',
  key_column_twice: (header: string) => `The key column ‘${header}’ is listed twice`,
  mark_text_required: 'Enter the text for rows that are missing',
  mark_column_required: 'Choose the column for the mark',
  key_columns_required:
    'Choose at least one key column: by its values, rows of source and target are matched',
  key_not_copied: (name: string) =>
    `The key column ‘${name}’ is not one of the chosen columns. Choose it, too, or use another key`,
  split_not_copied: (name: string) =>
    `‘${name}’ is not one of the chosen columns. Choose it, too, or split by another column`,
  split_replaces: (write_mode: string) =>
    `A task that writes a tab per value replaces the rows of its tabs: ${write_mode} does not go with it`,
  split_in_order: 'A task that writes a tab per value does not find columns by their headers',
  split_no_mark: 'Tabs have no place for a mark: keep or clear tabs whose value is gone',
  missing_needs_keys: (on_missing: string, write_mode: string) =>
    `‘${on_missing}’ needs to know which rows are missing: ${write_mode} does not. Use update, split by a column, or keep missing rows`,
  mark_is_key: (name: string) => `‘${name}’ is a key column and cannot take the mark`,
  mark_is_copied: (name: string) => `‘${name}’ is copied from the source and cannot take the mark`,
  source_twice: (number: number) => `Source ${number} is listed twice`,
  source_is_target: (number: number) => `Source ${number} is the target itself`,
  spreadsheet_required: 'Choose a spreadsheet',
  config_required: 'Choose a compiler configuration',
  csv_one_table: (file: string) =>
    `‘${file}’ is a CSV file, whose only table is called CSV. Enter CSV, or write to a workbook`,
  split_needs_tabs: (file: string) =>
    `‘${file}’ is a CSV file, which has no tabs: write to a workbook or a Google spreadsheet`,
  completeness_internal: 'Only compiled records are complete or not: choose a configuration as the source',
  complete_one_source: 'Only complete records: remove further sources and the split',
  complete_needs_sku: 'Only complete records: SKU must be one of the copied columns',
  value_required: 'The name needs {value}, which becomes the value of the column',
} as const
