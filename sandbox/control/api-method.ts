import { sheetsCall } from '../sheets/call.ts'

export type ApiMethod = {
  /** Google's method name, such as `spreadsheets.values.batchUpdate`. */
  name: string
  kind: 'read' | 'write'
  spreadsheetId: string | null
}

const driveMethods: [verb: string, path: RegExp, name: string][] = [
  ['GET', /^\/files$/, 'files.list'],
  ['POST', /^\/files$/, 'files.create'],
  ['GET', /^\/files\/([^/]+)$/, 'files.get'],
  ['PATCH', /^\/files\/([^/]+)$/, 'files.update'],
  ['DELETE', /^\/files\/([^/]+)$/, 'files.delete'],
  ['POST', /^\/files\/([^/]+)\/copy$/, 'files.copy'],
  ['GET', /^\/files\/([^/]+)\/export$/, 'files.export'],
  ['GET', /^\/files\/([^/]+)\/permissions$/, 'permissions.list'],
  ['POST', /^\/files\/([^/]+)\/permissions$/, 'permissions.create'],
  ['DELETE', /^\/files\/([^/]+)\/permissions\/[^/]+$/, 'permissions.delete'],
]

/** Returns Google's method for a request. An unknown method gets its HTTP method as name. */
export function apiMethodOf(verb: string, url: string): ApiMethod {
  const sheets = sheetsCall(verb, url)
  if (sheets !== null) {
    const reads = verb === 'GET' || sheets.method === 'spreadsheets.getByDataFilter'
    return {
      name: sheets.method,
      kind: reads ? 'read' : 'write',
      spreadsheetId: sheets.spreadsheetId ?? null,
    }
  }
  const kind = verb === 'GET' ? 'read' : 'write'
  const path = /^\/drive\/v3([^?]*?)\/?(?:\?|$)/.exec(url)?.[1] ?? ''
  for (const [wanted, pattern, name] of driveMethods) {
    const match = wanted === verb ? pattern.exec(path) : null
    if (match !== null) return { name, kind, spreadsheetId: match[1] ?? null }
  }
  return { name: verb, kind, spreadsheetId: null }
}
