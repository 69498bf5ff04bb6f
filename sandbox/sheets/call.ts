/** A call of the Sheets API, parsed from its URL. */
export interface SheetsCall {
  readonly method: SheetsMethod
  /** Missing only for spreadsheets.create. */
  readonly spreadsheetId?: string
  /** Decoded range of the path, or sheet of `copyTo`. */
  readonly range?: string
}

export type SheetsMethod = (typeof METHODS)[number][0]

// First group: spreadsheet id. Second group: range or sheet.
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

/** Parses a `/v4/spreadsheets…` request; null if it is not a call of the Sheets API. */
export function sheetsCall(verb: string, url: string): SheetsCall | null {
  const path = /^\/v4\/spreadsheets([^?]*)/.exec(url)?.[1]
  if (path === undefined) return null
  // Like the real service, accepts `ID/`, `ID/:batchUpdate` and an encoded colon before the verb.
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
