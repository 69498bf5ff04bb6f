import { formatted } from '../counted.ts'
import { type FileFacts, stateText } from '../files/server-messages.ts'
import { quoted } from '../quoted.ts'

const megabytes = (bytes: number) => `${formatted(Math.ceil(bytes / 1_048_576))} MB`

const named = (name: string) => `‘${quoted(name)}’`

/** Messages about files as targets. `file`: a name without folders. */
export const targetFileMessages = {
  provider: 'The workbook',
  provider_csv: 'The CSV file',

  // refused files
  folder_read_only: (folder: string) =>
    `Files in the folder ${named(folder)} can be read but not written. FILES_FOLDERS allows writing with ‘:rw’ after its path.`,
  no_pattern: (path: string) => `${named(path)} has a *. A target is one file, so its whole name is needed.`,
  kind_unknown: (file: string) =>
    `${named(file)} does not exist and cannot be created: the name of a new file ends with .xlsx, .csv or .tsv.`,
  folder_missing: (path: string) => `${named(path)} cannot be created, because its folder does not exist.`,
  link_broken: (file: string) => `${named(file)} is a link to a file that does not exist.`,
  hard_link: (file: string, links: number) =>
    `${named(file)} has ${formatted(links)} names (hard links). Replacing it would leave the others with the old content; make it a file of its own.`,
  kind_read_only: (file: string) =>
    `${named(file)} can be read but not written, because it is not an .xlsx or .xlsm file.`,
  is_area: (name: string, file: string) =>
    `${named(name)} is a table or a named area of ${named(file)}. A target is a tab; choose the tab that has it.`,
  not_permitted: (file: string) =>
    `${named(file)} cannot be written: this process may not write to its folder.`,
  read_only_file: (file: string) => `${named(file)} is read-only.`,
  too_many_rows: (file: string, rows: number, columns: number) =>
    `${formatted(rows)} rows x ${formatted(columns)} columns do not fit in ${named(file)}: a tab has 1,048,576 rows and 16,384 columns.`,
  csv_encoding: (file: string) =>
    `${named(file)} is not in UTF-8, in which it would be written. Save it as “CSV UTF-8”, or delete it, so that it is created again.`,
  csv_broken: (file: string) => `${named(file)} has a quote that does not end. Correct or delete it.`,
  no_space: (file: string, needed: number, free: number) =>
    `Writing ${named(file)} needs about ${megabytes(needed)}, and ${megabytes(free)} are free on its disk.`,
  disk_full: (file: string) => `The disk of ${named(file)} is full. The file is as it was.`,

  // how it was found
  tab_gone: (tab: string, file: string) =>
    `The tab ${named(tab)} in ${named(file)} is gone. It is created again.`,

  // readiness
  found: (state: FileFacts) => `The target ${named(state.file)} can be written (${stateText(state)}).`,
  will_be_created: (file: string) =>
    `The target ${named(file)} does not exist yet. The first run creates it.`,

  // other programs
  open_in: (file: string, owner: string, lock: string) =>
    `${named(file)} is open in a spreadsheet program${owner === '' ? '' : ` (${quoted(owner)})`}. The run waits until it is closed. If it is not open anywhere, delete ${named(lock)} beside it.`,
  waiting: (file: string) => `Waiting until ${named(file)} is closed`,
  being_written: (file: string, run: number, host: string) =>
    `${named(file)} is being written by run ${run} on ${quoted(host)}.`,
  changed: (file: string) => `${named(file)} was changed while it was copied.`,
  superseded: (file: string) => `${named(file)} was taken over by another run while it was copied.`,
  not_reachable: (file: string) => `The disk of ${named(file)} did not answer. The file is as it was.`,

  // plans
  plan_cells: 'The differing cells are written into a copy of the file, which then replaces it.',
  plan_rows: 'The rows that differ are written into a copy of the file, which then replaces it.',
  plan_csv: 'The file is replaced by a new one.',
} as const
