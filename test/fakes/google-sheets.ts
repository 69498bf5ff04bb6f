import { sheets, type sheets_v4 } from '@googleapis/sheets'
import type { FastifyInstance } from 'fastify'
import { OAuth2Client } from 'google-auth-library'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { buildSandbox, type SandboxOptions } from '../../sandbox/app.ts'
import { accessToken } from './sandbox.ts'

/** A sandbox shared by all tests of a file, with helpers for its spreadsheets. */
export interface SheetsSandbox {
  readonly api: sheets_v4.Sheets
  /** Creates a spreadsheet whose `Sheet1` (id 0) has this grid size; returns its id. */
  book(rowCount?: number, columnCount?: number): Promise<string>
  /** Calls a path below /v4/spreadsheets; returns status and body, also of errors. `email` is Ada's by default. */
  call(
    method: string,
    path: string,
    body?: unknown,
    email?: string,
  ): Promise<{ status: number; body: unknown }>
  /** Expects a call to fail with 400; returns its `error.message`. */
  refusal(method: string, path: string, body?: unknown, email?: string): Promise<string>
  /** As `refusal`, for a batchUpdate. */
  refused(id: string, ...requests: unknown[]): Promise<string>
  /** Titles of the tabs in order. */
  tabs(id: string): Promise<(string | null | undefined)[]>
  /** Gives an account write access. */
  share(id: string, email: string): Promise<void>
  /** Executes batchUpdate requests and returns their replies. */
  batch(id: string, ...requests: sheets_v4.Schema$Request[]): Promise<sheets_v4.Schema$Response[]>
  /** Writes rows, starting at the range's first cell. */
  put(id: string, range: string, values: unknown[][], input?: 'RAW' | 'USER_ENTERED'): Promise<void>
  /** Rows of a range; [] if all cells are blank. */
  rows(
    id: string,
    range: string,
    render?: 'FORMATTED_VALUE' | 'UNFORMATTED_VALUE' | 'FORMULA',
  ): Promise<unknown[][]>
}

/** A range of the first tab, by default in columns A and B. */
export const gridRange = (
  startRowIndex: number,
  endRowIndex: number,
  startColumnIndex = 0,
  endColumnIndex = 2,
) => ({ sheetId: 0, startRowIndex, endRowIndex, startColumnIndex, endColumnIndex })

const Refusal = z.object({ error: z.object({ code: z.literal(400), message: z.string() }) })

/** Starts a sandbox before the tests of the calling file and closes it after them. Tests use Google's own client. */
export function sheetsSandbox(options: Partial<SandboxOptions> = {}): SheetsSandbox {
  let app: FastifyInstance | undefined
  let root = ''
  let token = ''
  const auth = new OAuth2Client()
  let api = sheets({ version: 'v4', auth })
  beforeAll(async () => {
    app = await buildSandbox({ dataDir: null, ...options })
    root = await app.listen({ host: '127.0.0.1', port: 0 })
    token = await accessToken(root)
    auth.setCredentials({ access_token: token })
    api = sheets({ version: 'v4', auth, rootUrl: `${root}/`, retry: false })
  })
  afterAll(() => app?.close())

  const call: SheetsSandbox['call'] = async (method, path, body, email) => {
    const bearer = email === undefined ? token : await accessToken(root, email)
    const response = await fetch(`${root}/v4/spreadsheets${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json: unknown = await response.json()
    return { status: response.status, body: json }
  }
  const refusal: SheetsSandbox['refusal'] = async (method, path, body, email) =>
    Refusal.parse((await call(method, path, body, email)).body).error.message
  return {
    get api() {
      return api
    },
    call,
    book: async (rowCount = 1000, columnCount = 26) => {
      const properties = { title: 'Sheet1', gridProperties: { rowCount, columnCount } }
      const { data } = await api.spreadsheets.create({ requestBody: { sheets: [{ properties }] } })
      return data.spreadsheetId ?? ''
    },
    refusal,
    refused: (id, ...requests) => refusal('POST', `/${id}:batchUpdate`, { requests }),
    tabs: async (spreadsheetId) => {
      const fields = 'sheets.properties(title,index)'
      const { data } = await api.spreadsheets.get({ spreadsheetId, fields })
      return (data.sheets ?? []).map(({ properties }) => properties?.title)
    },
    share: async (id, emailAddress) => {
      const reply = await fetch(`${root}/drive/v3/files/${id}/permissions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'user', role: 'writer', emailAddress }),
      })
      if (!reply.ok) throw new Error(await reply.text())
    },
    batch: async (spreadsheetId, ...requests) => {
      const { data } = await api.spreadsheets.batchUpdate({ spreadsheetId, requestBody: { requests } })
      return data.replies ?? []
    },
    put: async (spreadsheetId, range, values, valueInputOption = 'RAW') => {
      await api.spreadsheets.values.update({
        spreadsheetId,
        range,
        valueInputOption,
        requestBody: { values },
      })
    },
    rows: async (spreadsheetId, range, valueRenderOption = 'FORMATTED_VALUE') => {
      const { data } = await api.spreadsheets.values.get({ spreadsheetId, range, valueRenderOption })
      return data.values ?? []
    },
  }
}
