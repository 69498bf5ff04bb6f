/** Texts of the choice of a spreadsheet and its tabs. */
export const spreadsheetMessages = {
  // loading
  fetch_spreadsheets_failed: 'Failed to fetch spreadsheets.',
  fetch_tabs_failed: 'Failed to fetch the tabs of this spreadsheet.',

  // adding and editing
  spreadsheet_unknown: 'No spreadsheet found',
  tab_unknown: 'This spreadsheet has no sheet of that name.',
  tab_new: 'This sheet does not exist yet. The first run creates it.',
} as const
