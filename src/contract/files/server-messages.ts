import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

const megabytes = (bytes: number) => `${formatted(Math.ceil(bytes / 1_048_576))} MB`

const age = (minutes: number) => {
  if (minutes < 1) return 'just now'
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 2880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day']
  return `${formatted(count)} ${unit}${count === 1 ? '' : 's'} ago`
}

/** A file as it is found. `minutes`: since its last change; `locked_by`: who has it open, as far as known; null: no one. */
export type FileFacts = { file: string; size: number; minutes: number; locked_by: string | null }

/** What is known about a file, such as “changed 5 minutes ago, 12 kB, open by ‘Ada’”. */
export const stateText = ({ size, minutes, locked_by }: FileFacts) => {
  const lock =
    locked_by === null
      ? ''
      : locked_by === ''
        ? ', open in Excel or LibreOffice'
        : `, open by ${quoted(locked_by)}`
  return `changed ${age(minutes)}, ${size < 1_048_576 ? `${formatted(Math.ceil(size / 1024))} kB` : megabytes(size)}${lock}`
}

const named = (name: string) => `‘${quoted(name)}’`

/** Messages about workbooks in files. `file`: its name without folders. */
export const fileMessages = {
  // refused files
  not_a_workbook: (file: string) =>
    `${named(file)} is not a workbook. Files of Excel (.xlsx, .xlsm, .xls) and OpenDocument (.ods) can be read.`,
  binary_workbook: (file: string) =>
    `${named(file)} is a binary workbook (.xlsb), which cannot be read. Save it as .xlsx.`,
  empty_file: (file: string) => `${named(file)} is empty.`,
  encrypted: (file: string) =>
    `${named(file)} is protected with a password. Save it without one, so that it can be read.`,
  broken: (file: string, detail: string) =>
    `${named(file)} is damaged or was not written completely: ${quoted(detail)}`,
  changed_while_read: (file: string) => `${named(file)} was changed while it was read.`,
  content_invalid: 'its content cannot be read.',
  part_missing: (part: string) => `the part ${quoted(part)} is missing.`,
  zip_damaged: 'it is not a complete ZIP file.',
  part_damaged: (part: string) => `the part ${quoted(part)} cannot be unpacked.`,
  part_invalid: (part: string) => `the part ${quoted(part)} is not valid XML.`,
  doctype: (file: string, part: string) =>
    `${named(file)} is refused: its part ${quoted(part)} has a document type definition, which could read other files.`,
  too_many_parts: (file: string, parts: number, most: number) =>
    `${named(file)} is refused: it has ${formatted(parts)} parts, more than ${formatted(most)}.`,
  unpacks_too_large: (file: string, part: string, most: number) =>
    `${named(file)} is refused: its part ${quoted(part)} is larger than ${megabytes(most)} when it is unpacked.`,
  unpacks_too_far: (file: string, part: string, ratio: number) =>
    `${named(file)} is refused: its part ${quoted(part)} is more than ${formatted(ratio)} times as large when it is unpacked, as files are that are made to exhaust memory.`,
  legacy_too_large: (file: string, bytes: number, most: number) =>
    `${named(file)} is ${megabytes(bytes)}. Files of this kind can be read up to ${megabytes(most)}; save it as .xlsx.`,

  // files in folders
  folder_unknown: (folder: string) => `There is no folder ${named(folder)}. FILES_FOLDERS names the folders.`,
  folder_limited: (folder: string) =>
    `The folder ${named(folder)} is limited to some people. An administrator can add others in the settings.`,
  folder_missing: (folder: string) => `The folder ${named(folder)} cannot be opened on this machine.`,
  file_unknown: (path: string) => `There is no file ${named(path)}.`,
  not_a_file: (path: string) => `${named(path)} is not a file.`,
  upload_unknown: (id: string) =>
    `There is no uploaded file ${named(id)}. Its task may have newer ones; upload it again, or choose another file.`,
  path_invalid: (path: string) => `${named(path)} is not the path of a file.`,
  path_outside: (path: string) => `${named(path)} leads out of its folder.`,
  no_match: (pattern: string, folder: string) => `No file in ${named(folder)} matches ${named(pattern)}.`,
  tab_unknown: (file: string, tab: string) =>
    tab === ''
      ? `${named(file)} has no visible tab.`
      : `${named(file)} has no tab, table or named area ‘${quoted(tab)}’.`,
  csv_table_unknown: (file: string, tab: string, only: string) =>
    `${named(file)} has one table, ‘${only}’, and no ‘${quoted(tab)}’.`,
  hidden_rows: (rows: number) => `${formatted(rows)} hidden ${rows === 1 ? 'row is' : 'rows are'} included`,
  tab_renamed: (before: string, now: string) =>
    `‘${quoted(before)}’ is called ‘${quoted(now)}’ now. It was followed.`,

  ready: (state: FileFacts, rows: number, isMore: boolean) =>
    `${named(state.file)} has ${isMore ? 'more than ' : ''}${formatted(isMore ? rows - 1 : rows)} ${rows === 1 ? 'row' : 'rows'} below its header (${stateText(state)}).`,
  no_rows: (state: FileFacts, start_row: number) =>
    `${named(state.file)} has no rows below the header in row ${formatted(start_row)} (${stateText(state)}).`,

  // refused cells
  formula_without_value: (cell: string, tab: string) =>
    `${cell} in ‘${quoted(tab)}’ is a formula without a stored value. Open the workbook in Excel or LibreOffice and save it, so that its formulas are computed.`,
  cell_outside: (tab: string) => `‘${quoted(tab)}’ has a cell beyond row 1,048,576 or column XFD.`,
  rows_out_of_order: (row: number, tab: string) =>
    `row ${formatted(row)} of ‘${quoted(tab)}’ is not below the row before it.`,
  value_invalid: (cell: string, tab: string) => `the value of ${cell} in ‘${quoted(tab)}’ cannot be read.`,
  text_missing: (cell: string, tab: string) =>
    `${cell} in ‘${quoted(tab)}’ refers to a text that the workbook does not contain.`,

  // refused changes
  read_only: (file: string) =>
    `${named(file)} can be read but not written, because it is not an .xlsx or .xlsm file.`,
  not_a_grid: (tab: string) => `‘${quoted(tab)}’ is a chart sheet, which has no cells.`,
  array_formula: (cell: string, tab: string) =>
    `${cell} in ‘${quoted(tab)}’ is part of an array formula, of which no single cell can be changed.`,
  totals_row: (table: string, row: number) =>
    `The table ‘${quoted(table)}’ has a totals row in row ${formatted(row)}, where rows would be written. Remove the totals row, or move the table.`,
  table_in_the_way: (table: string, other: string) =>
    `The table ‘${quoted(table)}’ would grow into the table ‘${quoted(other)}’. Move one of them.`,
  table_header_invalid: (table: string, cell: string) =>
    `${cell} is a header of the table ‘${quoted(table)}’, which needs a text that no other header of it has.`,
  merged_cell: (cell: string, area: string) =>
    `${cell} is inside the merged cells ${area}, which show only their first cell.`,
  tab_exists: (file: string, tab: string) => `${named(file)} already has a tab ‘${quoted(tab)}’.`,
  tab_name_invalid: (tab: string) =>
    `‘${quoted(tab)}’ cannot be the name of a tab: 1 to 31 characters, without : \\ / ? * [ ] and without ' at either end.`,
  text_too_long: (cell: string, characters: number) =>
    `The text for ${cell} has ${formatted(characters)} characters. A cell of a workbook can have 32,767.`,
} as const
