import { formatted } from '../counted.ts'

const rows = (count: number) => `${formatted(count)} ${count === 1 ? 'row' : 'rows'}`
const have = (count: number) => (count === 1 ? 'has' : 'have')

/** Texts of the fields that say how rows come into the target. */
export const writeMessages = {
  title: 'How rows come into the target',
  modes: {
    replace:
      'The target becomes equal to the source, row by row. Notes beside rows stay in their cells: if they would end up beside another row, the run stops first.',
    update:
      'Rows are matched by a key and written where they stand; new ones go below. No row moves, so notes stay beside their rows, in whatever order people sort.',
    append:
      'New rows go below the last one. Rows that are in the target, and notes beside them, do not change.',
  },
  mend: 'Correct the marked settings.',

  // keys
  keys: 'Key columns',
  keys_hint: 'What identifies a row, such as an SKU or an order number. Several columns form one key.',
  keys_optional: 'Blank: every row that this task has not appended before is new.',
  choose_key: 'Choose a column',
  suggest_key: (name: string) => `Use ‘${name}’`,
  blank_keys: (count: number, names: readonly string[]) =>
    `${rows(count)} ${have(count)} no ${names.join(' nor ')}`,
  repeated_keys: (count: number, example: string) =>
    `${rows(count)} ${count === 1 ? 'has' : 'share'} a key with another one, such as ‘${example}’`,
  unique_keys: (count: number, is_partial: boolean) =>
    is_partial ? `The first ${rows(count)} have a key each.` : `All ${rows(count)} have a key of their own.`,
  keys_unknown: 'The source has no column of this name.',
  bad_keys_fail: 'A run with these rows stops before it writes.',
  bad_keys_skip: 'Runs skip these rows, with a warning.',
  bad_keys: 'Blank or repeated keys',
  bad_keys_title: 'Keys and columns',
  find_columns: 'Find columns of the target by their headers',
  find_columns_hint:
    'People may move columns of the target. A column that is missing is added at the right. Otherwise columns stand in the order of the source, from column A.',

  // missing rows
  missing_title: 'Missing rows',
  missing_hint:
    'Rows that this task has written and that the source no longer has, or that no longer pass the filter. Rows that people add to the target are never missing.',
  missing_tabs_hint: 'Tabs whose value the source no longer has.',
  mark_column: 'Column for the mark',
  mark_column_hint: 'A column of the target that is not copied. It is added if it is missing.',
  mark_text: 'Text of the mark',
  mark_text_hint: '{date} becomes the date of the run.',

  // cells beside the table
  beside_title: 'Notes beside the table',
  beside_hint:
    'When a row comes or goes in the source, a copy row by row would leave notes, ticks or prices of other people beside the wrong row.',
  beside_earlier:
    'This task is from an earlier release and has only warned so far. After you save it, it does as chosen here.',

  // further sources
  sources_title: 'Further sources',
  sources_hint:
    'Their rows follow those of the first source. Columns are matched by their headers. If one source cannot be read, nothing is written.',
  sources_state: (count: number) => (count === 0 ? 'none' : `${formatted(count)} more`),
  name_column: 'Add a column with the name of the source',
  name_column_has: (name: string) => `The column ‘${name}’ names the source.`,

  // split
  split_title: 'One tab per value',
  split_hint:
    'Rows go to a tab for each value of a column. Tabs are created as needed. All of them change in one step if their differences fit one request; otherwise each changes in one step of its own.',
  split_by: 'Split by column',
  split_name: 'Name of a tab',
  split_name_hint: '{value} becomes the value of the column.',
  tabs: (count: number, is_partial: boolean) =>
    `${is_partial ? 'The first rows make' : 'Makes'} ${formatted(count)} ${count === 1 ? 'tab' : 'tabs'}:`,
  more_tabs: (count: number) => `and ${formatted(count)} more`,
  too_many_tabs: (max: number) =>
    `A task writes ${formatted(max)} tabs at most. Choose another column, or filter.`,
  same_tabs: (one: string, other: string) => `‘${one}’ and ‘${other}’ would be the same tab.`,
  long_tab: (name: string) => `‘${name}’ is too long for the name of a tab.`,
  no_value: (count: number, column: string) => `${rows(count)} ${have(count)} no ${column}.`,
} as const
