/** One call of the Sheets API as its URL names it. */
export interface SheetsCall {
  readonly method: SheetsMethod
  /** Absent for spreadsheets.create only. */
  readonly spreadsheetId?: string
  /** The range in the path, or the sheet of `copyTo`, decoded. */
  readonly range?: string
}

export type SheetsMethod = (typeof METHODS)[number][0]

// A path's first group is the spreadsheet, its second one the range or the sheet.
const METHODS = [
  ['spreadsheets.create', 'POST', /^$/],
  ['spreadsheets.get', 'GET', /^\/([^/:]+)$/],
  ['spreadsheets.getByDataFilter', 'POST', /^\/([^/]+):getByDataFilter$/],
  ['spreadsheets.batchUpdate', 'POST', /^\/([^/]+):batchUpdate$/],
  ['spreadsheets.sheets.copyTo', 'POST', /^\/([^/]+)\/sheets\/([^/]+):copyTo$/],
  ['spreadsheets.values.batchGet', 'GET', /^\/([^/]+)\/values:batchGet$/],
  ['spreadsheets.values.batchUpdate', 'POST', /^\/([^/]+)\/values:batchUpdate$/],
  ['spreadsheets.values.batchClear', 'POST', /^\/([^/]+)\/values:batchClear$/],
  ['spreadsheets.values.append', 'POST', /^\/([^/]+)\/values\/([^/]+):append$/],
  ['spreadsheets.values.clear', 'POST', /^\/([^/]+)\/values\/([^/]+):clear$/],
  ['spreadsheets.values.get', 'GET', /^\/([^/]+)\/values\/([^/]+)$/],
  ['spreadsheets.values.update', 'PUT', /^\/([^/]+)\/values\/([^/]+)$/],
] as const

/** The call that `GET /v4/spreadsheets/…` and the like make; null when the Sheets API has no such call. */
export function sheetsCall(verb: string, url: string): SheetsCall | null {
  const path = /^\/v4\/spreadsheets([^?]*)/.exec(url)?.[1]
  if (path === undefined) return null
  // As the real service does: `ID/`, `ID/:batchUpdate` and an encoded colon before the verb are fine.
  const plain = path.replace(/%3A(?=[a-zA-Z]+$)/i, ':').replace(/\/(?=:[a-zA-Z]+$|$)/, '')
  for (const [method, wanted, pattern] of METHODS) {
    const match = wanted === verb ? pattern.exec(plain) : null
    if (!match) continue
    const [spreadsheetId, range] = match.slice(1).map(decoded)
    if (spreadsheetId === null || range === null) return null
    return { method, ...(spreadsheetId && { spreadsheetId }), ...(range && { range }) }
  }
  return null
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
