import { READABLE_FILES } from '../files/providers.ts'
import { quoted } from '../quoted.ts'

/** Texts about the files that source tasks read. */
export const uploadMessages = {
  title: 'Uploaded files',
  hint: 'The newest ten are kept, with who uploaded them. A run that is going on continues with the file it began with.',
  upload: 'Upload a file',
  drop_hint: 'Up to 50 MB: .xlsx, .xlsm, .xls, .ods, .csv, .tsv or .txt. You can also drop a file here.',
  drop_here: 'Drop the file to use it as the source',
  several: 'Drop one file',
  not_readable: (name: string) =>
    `‘${quoted(name)}’ cannot be read. Upload a file that ends in ${READABLE_FILES.join(', ')}.`,
  too_large: (name: string) => `“${name}” is larger than 50 MB.`,
  uploaded: (name: string) => `“${name}” is uploaded. Save the task to use it.`,
  replaced: (name: string) => `“${name}” is uploaded. The next run reads it.`,
  replace_title: 'Replace the source?',
  replace: 'Replace',
  replace_question: (task: string, source: string, file: string) =>
    `“${quoted(task)}” reads ${quoted(source, 300)} now. From the next run on it would read the uploaded file “${quoted(file)}” instead.`,
  replace_hint: 'The history of the settings can bring the former source back.',
  upload_failed: 'Failed to upload the file',
  current: 'The next run reads it',
  use: 'Use again',
  use_of: (name: string, when: string) => `Use again “${name}” of ${when}`,
  used: (name: string) => `The next run reads “${name}”.`,
  use_failed: 'Failed to use this file',
  download: 'Download',
  download_of: (name: string, when: string) => `Download “${name}” of ${when}`,
  download_failed: 'Failed to download the file',
  load_failed: 'Failed to load the uploaded files',
  none: 'No files are uploaded to this task.',
  by: (who: string, when: string) => `${who}, ${when}`,
  deleted_user: 'a deleted user',

  // the file that is read
  file: 'File',
  state_failed: 'The file cannot be looked up now.',
  state: (name: string, size: string, when: string) => `${name}, ${size}, changed ${when}`,
  state_uploaded: (name: string, size: string, when: string) => `${name}, ${size}, uploaded ${when}`,
  open_by: (who: string) => `open by ${who}`,
  open: 'open in Excel or LibreOffice',
  late: (hours: string) => `A newer file is overdue: one is expected every ${hours}.`,
  expected: 'New file expected every',
  expected_label: 'New file expected every (hours)',
  expected_hint: 'An alarm is raised when the file is older; blank: no alarm',

  // how a CSV file is read
  csv: 'CSV format',
  delimiter: 'CSV delimiter',
  encoding: 'CSV encoding',
  quote: 'CSV quote',
  detect: 'Detect',
  detected: (what: string) => `Detect: ${what}`,
  quotes: { '"': 'Double quote "', "'": "Single quote '" },
} as const
