/** One call of the Sheets API as its URL names it. */
export interface SheetsCall {
  readonly method: SheetsMethod
  /** Absent for spreadsheets.create only. */
  readonly spreadsheetId?: string
  /** The range in the path, decoded. */
  readonly range?: string
  /** The tab id in the path, as written. */
  readonly sheetId?: string
}

export type SheetsMethod = (typeof METHODS)[number]['method']

const METHODS = [
  { method: 'spreadsheets.create', verb: 'POST', path: /^$/ },
  { method: 'spreadsheets.get', verb: 'GET', path: /^\/([^/:]+)$/ },
  { method: 'spreadsheets.batchUpdate', verb: 'POST', path: /^\/([^/]+):batchUpdate$/ },
  { method: 'spreadsheets.getByDataFilter', verb: 'POST', path: /^\/([^/]+):getByDataFilter$/ },
  {
    method: 'spreadsheets.sheets.copyTo',

    verb: 'POST',
    path: /^\/([^/]+)\/sheets\/([^/]+):copyTo$/,
  },
  { method: 'spreadsheets.values.batchGet', verb: 'GET', path: /^\/([^/]+)\/values:batchGet$/ },
  {
    method: 'spreadsheets.values.batchUpdate',

    verb: 'POST',
    path: /^\/([^/]+)\/values:batchUpdate$/,
  },
  {
    method: 'spreadsheets.values.batchClear',

    verb: 'POST',
    path: /^\/([^/]+)\/values:batchClear$/,
  },
  {
    method: 'spreadsheets.values.append',

    verb: 'POST',
    path: /^\/([^/]+)\/values\/([^/]+):append$/,
  },
  {
    method: 'spreadsheets.values.clear',

    verb: 'POST',
    path: /^\/([^/]+)\/values\/([^/]+):clear$/,
  },
  { method: 'spreadsheets.values.get', verb: 'GET', path: /^\/([^/]+)\/values\/([^/]+)$/ },
  { method: 'spreadsheets.values.update', verb: 'PUT', path: /^\/([^/]+)\/values\/([^/]+)$/ },
] as const

/** The call that `GET /v4/spreadsheets/…` and the like make; null when the Sheets API has no such call. */
export function sheetsCall(verb: string, url: string): SheetsCall | null {
  const rest = /^\/v4\/spreadsheets([^?]*)/.exec(url)?.[1]
  if (rest === undefined) return null
  for (const { method, verb: wanted, path } of METHODS) {
    if (wanted !== verb) continue
    // A client may encode the colon before the verb; one inside a range then stays encoded or not, both mean the same.
    const match = path.exec(rest) ?? path.exec(rest.replace(/%3A(?=[a-zA-Z]+$)/i, ':'))
    if (!match) continue
    const parts = match.slice(1).map(decoded)
    if (parts.includes(null)) return null
    const [spreadsheetId, second] = parts
    const detail =
      method === 'spreadsheets.sheets.copyTo' ? { sheetId: second ?? '' } : { range: second ?? '' }
    return { method, ...(spreadsheetId && { spreadsheetId }), ...(second && detail) }
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
