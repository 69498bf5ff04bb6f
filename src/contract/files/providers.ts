import * as z from 'zod/mini'

/** What keeps a spreadsheet: Google, or a folder of files. */
export const Provider = z.enum(['google-sheets', 'files'])
export type Provider = z.infer<typeof Provider>

const GOOGLE = 'google-sheets'
const FILES = 'files'

/** Whether the text is the path of a file, such as Suppliers/prices.xlsx, and not an address of Google Sheets. */
export const isFilePath = (spreadsheet: string): boolean =>
  spreadsheet.includes('/') && !/^(?:https?:|docs\.google\.com\/)/i.test(spreadsheet.trimStart())

/** Whether a file has delimited values, according to its name or path. */
export const isDelimited = (name: string): boolean => /\.(csv|tsv|txt)$/i.test(name)

/** The name of the only table of a CSV file. */
export const CSV_TABLE = 'CSV'

/** Ends of the names of files that can be read. */
export const READABLE_FILES = ['.xlsx', '.xlsm', '.xls', '.ods', '.csv', '.tsv', '.txt']

/** Whether the name of a file says that it can be read. */
export const isReadableFile = (name: string): boolean =>
  READABLE_FILES.some((end) => name.toLowerCase().endsWith(end))

/** The name in front of the ids of uploaded files, which no folder may have. */
export const UPLOADS = 'Uploads'

const UPLOADED = /^Uploads\/([1-9]\d{0,9})\/([^/]+)$/

/** The number and name in the id of an uploaded file, such as Uploads/12/prices.xlsx; null: another spreadsheet or file. */
export function uploadedFileOf(spreadsheet_id: string): { file_id: number; name: string } | null {
  const [, number, name = ''] = UPLOADED.exec(spreadsheet_id) ?? []
  return number === undefined ? null : { file_id: Number(number), name }
}

/** Whether a spreadsheet id means an uploaded file, even one that cannot exist. */
export const isUpload = (spreadsheet_id: string): boolean => spreadsheet_id.startsWith(`${UPLOADS}/`)

/** The provider of a spreadsheet by its id. `former`: the provider of the id before. */
export function providerOf(spreadsheet_id: string, former: string = GOOGLE): string {
  if (isFilePath(spreadsheet_id)) return FILES
  return former === FILES ? GOOGLE : former
}
