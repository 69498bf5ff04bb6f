import { z } from 'zod'

/** A cell value of the Sheets API. */
export type Cell = string | number | boolean

async function send(method: string, path: string, token: string | null, body?: object): Promise<unknown> {
  const reply = await fetch(`${process.env.SANDBOX_URL}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

async function accessToken(email = 'ada@example.com'): Promise<string> {
  const reply = await send('POST', '/control/tokens', null, { email })
  return z.object({ access_token: z.string() }).parse(reply).access_token
}

// The API accepts 10 MB per request; a batch of this many rows stays below that.
const rowsARequest = 5000

/** Creates a spreadsheet owned by Ada with one sheet, "Data", and these rows. Returns its id. */
export async function makeSpreadsheet(title: string, rows: Cell[][] = []): Promise<string> {
  const token = await accessToken()
  const made = await send('POST', '/v4/spreadsheets', token, {
    properties: { title },
    sheets: [
      {
        properties: {
          title: 'Data',
          gridProperties: { rowCount: Math.max(rows.length, 10), columnCount: rows[0]?.length ?? 5 },
        },
      },
    ],
  })
  const { spreadsheetId } = z.object({ spreadsheetId: z.string() }).parse(made)
  for (let row = 0; row < rows.length; row += rowsARequest)
    await writeCells(spreadsheetId, `Data!A${row + 1}`, rows.slice(row, row + rowsARequest))
  return spreadsheetId
}

/** Returns all unformatted values of a sheet. */
export async function readSheet(spreadsheet_id: string, sheet: string): Promise<Cell[][]> {
  const path = `/v4/spreadsheets/${spreadsheet_id}/values/${encodeURIComponent(sheet)}?valueRenderOption=UNFORMATTED_VALUE`
  const reply = await send('GET', path, await accessToken())
  return z
    .object({ values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))).default([]) })
    .parse(reply).values
}

/** Delays every request to Google, so that a test can observe a running task. */
export const slowGoogle = (ms: number) => send('PUT', '/control/latency', null, { ms })

/** Makes Google answer the next `count` requests with an internal error. */
export const brokenGoogle = (count: number) =>
  send('PUT', '/control/faults', null, { faults: count > 0 ? [{ kind: '500', count }] : [] })

/** Writes cells as another editor. */
export const writeCells = async (spreadsheet_id: string, range: string, values: Cell[][]) =>
  send(
    'PUT',
    `/v4/spreadsheets/${spreadsheet_id}/values/${range}?valueInputOption=RAW`,
    await accessToken(),
    { values },
  )

/** Clears cells as another editor. */
export const clearCells = async (spreadsheet_id: string, range: string) =>
  send('POST', `/v4/spreadsheets/${spreadsheet_id}/values/${range}:clear`, await accessToken(), {})
