import { Agent } from 'node:http'
import { drive } from '@googleapis/drive'
import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import { accessToken, control } from './sandbox.ts'

const Ledger = z.object({
  entries: z.array(
    z.object({
      id: z.number(),
      at: z.string(),
      account: z.string(),
      user_agent: z.string(),
      kind: z.string(),
      method: z.string(),
      path: z.string(),
      spreadsheet_id: z.string().nullable(),
      ranges: z.array(z.string()),
      cells: z.number(),
      status: z.number(),
      applied: z.boolean(),
    }),
  ),
})

/** Requests to the sandbox so far. */
export const ledger = async (root: string) => Ledger.parse(await control(root, 'GET', 'ledger')).entries
/** Injects faults into the sandbox. */
export const faults = (root: string, ...list: object[]) => control(root, 'PUT', 'faults', { faults: list })

/** Google's own Sheets client for an account, and a new spreadsheet with one non-blank cell. */
export async function clientOf(root: string, email = 'dora@example.com') {
  const auth = new OAuth2Client()
  auth.setCredentials({ access_token: await accessToken(root, email) })
  // One connection per request: a fault that closes a connection would also fail the next request on it.
  const agent = new Agent({ keepAlive: false })
  const options = { auth, rootUrl: `${root}/`, retry: false, agent }
  const created = await drive({ version: 'v3', ...options }).files.create({
    requestBody: { name: 'T', mimeType: 'application/vnd.google-apps.spreadsheet' },
  })
  const client = sheets({ version: 'v4', ...options })
  const spreadsheetId = created.data.id ?? ''
  await write(client, spreadsheetId, 'before')
  return { client, spreadsheetId }
}

export const write = (client: sheets_v4.Sheets, spreadsheetId: string, value: string, options = {}) =>
  client.spreadsheets.values.update(
    { spreadsheetId, range: 'Sheet1!A1', valueInputOption: 'RAW', requestBody: { values: [[value]] } },
    options,
  )

export const read = async (client: sheets_v4.Sheets, spreadsheetId: string, options = {}) => {
  const { data } = await client.spreadsheets.values.get({ spreadsheetId, range: 'Sheet1!A1:B2' }, options)
  return data.values?.[0]?.[0]
}
