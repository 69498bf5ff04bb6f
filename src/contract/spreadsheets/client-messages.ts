/** Texts of the spreadsheet and tab pickers. */
export const spreadsheetMessages = {
  // loading
  fetch_spreadsheets_failed: 'Failed to load spreadsheets.',
  fetch_tabs_failed: 'Failed to load the tabs of this spreadsheet.',

  // adding and editing
  search: 'Search, paste an address, or choose a file',
  folders: 'Folders of files',
  all_folders: 'All folders',
  parent_folder: (path: string) => `Back to ${path}`,
  folder_empty: 'No workbooks or CSV files here',
  folder_empty_target: 'No such file here. Type the name of a new one, ending with .xlsx, .csv or .tsv.',
  folder_more: (entries: number) => `Only the first ${entries} are listed. Type a part of the name.`,
  fetch_files_failed: 'Failed to load this folder.',
  other_tables: 'Tables and named areas',
  tabs: 'Sheets',
  spreadsheet_unknown: 'No spreadsheet found',
  tab_unknown: 'This spreadsheet has no sheet of that name.',
  tab_new: 'This sheet does not exist yet. The first run creates it.',
  file_new: 'This file does not exist yet. The first run creates it.',
  no_writable_folder:
    'No folder of files can be written. An administrator allows it with :rw in FILES_FOLDERS.',
} as const
