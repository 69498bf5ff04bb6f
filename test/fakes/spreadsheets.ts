import { sheets, type sheets_v4 } from '@googleapis/sheets'
import { OAuth2Client } from 'google-auth-library'
import { z } from 'zod'
import type { NumberFormat } from '../../src/contract/tables.ts'
import { control } from './sandbox.ts'

export type Cell = string | number | boolean | null

const TOKEN_LASTS_MS = 30 * 60_000

const Ledger = z.object({
  entries: z.array(
    z.object({
      at: z.iso.datetime(),
      kind: z.enum(['read', 'write']),
      method: z.string(),
      user_agent: z.string(),
      path: z.string(),
      applied: z.boolean(),
      spreadsheet_id: z.string().nullable(),
      cells: z.int(),
      status: z.int(),
    }),
  ),
})

const FILLER_ID = 987_654_321

/** A user's access to the spreadsheets of a sandbox. */
export class Spreadsheets {
  root = ''
  readonly #auth = new OAuth2Client()
  api: sheets_v4.Sheets = sheets({ version: 'v4', auth: this.#auth })

  /** Connects to the sandbox at `root`. `accessToken` returns a current token: tokens expire after an hour, a soak test runs longer. */
  connect(root: string, accessToken: () => Promise<string>): void {
    this.root = root
    this.#auth.setCredentials({})
    this.#auth.refreshHandler = async () => ({
      access_token: await accessToken(),
      expiry_date: Date.now() + TOKEN_LASTS_MS,
    })
    this.api = sheets({ version: 'v4', auth: this.#auth, rootUrl: `${root}/`, retry: false })
  }

  /** Creates a spreadsheet whose tabs contain these rows, with a few spare rows and columns. */
  async spreadsheet(tabs: Record<string, Cell[][]>, title = 'Book'): Promise<string> {
    const { data } = await this.api.spreadsheets.create({
      requestBody: {
        properties: { title },
        sheets: Object.entries(tabs).map(([name, rows], index) => ({
          properties: {
            sheetId: 100 + index,
            title: name,
            gridProperties: {
              rowCount: Math.max(20, rows.length),
              columnCount: Math.max(10, ...rows.map((row) => row.length)),
            },
          },
        })),
      },
    })
    const id = data.spreadsheetId ?? ''
    for (const [name, rows] of Object.entries(tabs)) await this.write(id, `'${name}'!A1`, rows)
    return id
  }

  /** Allows every user to edit a spreadsheet. */
  async share(spreadsheetId: string): Promise<void> {
    const { token } = await this.#auth.getAccessToken()
    const reply = await fetch(`${this.root}/drive/v3/files/${spreadsheetId}/permissions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'anyone', role: 'writer' }),
    })
    if (!reply.ok) throw new Error(await reply.text())
  }

  /** Writes raw values. */
  async write(spreadsheetId: string, range: string, values: Cell[][]): Promise<void> {
    if (values.length === 0) return
    await this.api.spreadsheets.values.update({
      spreadsheetId,
      range,
      valueInputOption: 'RAW',
      requestBody: { values },
    })
  }

  /** Clears the range. */
  async clear(spreadsheetId: string, range: string): Promise<void> {
    await this.api.spreadsheets.values.clear({ spreadsheetId, range })
  }

  /** Unformatted values of a range. */
  async values(spreadsheetId: string, range: string): Promise<unknown[][]> {
    const { data } = await this.api.spreadsheets.values.get({
      spreadsheetId,
      range,
      valueRenderOption: 'UNFORMATTED_VALUE',
    })
    return data.values ?? []
  }

  /** Sets number formats in row 2 of the first tab by column; undefined leaves a format unchanged. */
  async setFormats(spreadsheetId: string, formats: (NumberFormat | undefined)[]): Promise<void> {
    const requests = formats.flatMap((numberFormat, column) => {
      if (!numberFormat) return []
      const range = { sheetId: 100, startRowIndex: 1, startColumnIndex: column, endColumnIndex: column + 1 }
      return [
        {
          repeatCell: {
            range,
            cell: { userEnteredFormat: { numberFormat } },
            fields: 'userEnteredFormat.numberFormat',
          },
        },
      ]
    })
    await this.batch(spreadsheetId, ...requests)
  }

  /** Entered values and formats of row 2 of a tab. */
  async entered(spreadsheetId: string, tab: string): Promise<sheets_v4.Schema$CellData[]> {
    const { data } = await this.api.spreadsheets.get({
      spreadsheetId,
      ranges: [`${tab}!2:2`],
      fields: 'sheets(data(rowData(values(userEnteredFormat(numberFormat),userEnteredValue))))',
    })
    return data.sheets?.[0]?.data?.[0]?.rowData?.[0]?.values ?? []
  }

  async tabs(spreadsheetId: string): Promise<string[]> {
    const { data } = await this.api.spreadsheets.get({ spreadsheetId })
    return (data.sheets ?? []).map((sheet) => sheet.properties?.title ?? '')
  }

  async batch(spreadsheetId: string, ...requests: sheets_v4.Schema$Request[]): Promise<void> {
    await this.api.spreadsheets.batchUpdate({ spreadsheetId, requestBody: { requests } })
  }

  /** Fills a spreadsheet until only `free` more cells fit. */
  async fillUp(spreadsheetId: string, free: number): Promise<void> {
    const { data } = await this.api.spreadsheets.get({ spreadsheetId })
    const used = (data.sheets ?? []).reduce((cells, { properties }) => {
      const { rowCount, columnCount } = properties?.gridProperties ?? {}
      return cells + (rowCount ?? 0) * (columnCount ?? 0)
    }, 0)
    const gridProperties = { rowCount: 10_000_000 - used - free, columnCount: 1 }
    const properties = { title: 'Filler', sheetId: FILLER_ID, gridProperties }
    await this.batch(spreadsheetId, { addSheet: { properties } })
  }

  /** Removes the tab that `fillUp` added. */
  removeFiller = (spreadsheetId: string): Promise<void> =>
    this.batch(spreadsheetId, { deleteSheet: { sheetId: FILLER_ID } })

  /** Requests to the sandbox with their outcomes, oldest first. */
  async ledger() {
    return Ledger.parse(await control(this.root, 'GET', 'ledger')).entries
  }

  /** Number of injected faults that have not occurred yet. */
  async faultsLeft(): Promise<number> {
    return z.object({ faults: z.array(z.unknown()) }).parse(await control(this.root, 'GET', 'faults')).faults
      .length
  }

  /** Delays each read of a spreadsheet's values from now on. */
  async slowReads(spreadsheet_id: string): Promise<void> {
    await this.faults({
      kind: 'latency',
      ms: 10,
      match: { method: 'spreadsheets.values.get', spreadsheet_id },
    })
  }

  /** Number of reads of a spreadsheet's values so far. */
  async readsOf(id: string): Promise<number> {
    const entries = await this.ledger()
    return entries.filter(
      ({ spreadsheet_id, kind, path }) =>
        spreadsheet_id === id && kind === 'read' && path.includes('/values/'),
    ).length
  }

  faults(...faults: object[]): Promise<unknown> {
    return control(this.root, 'PUT', 'faults', { faults })
  }
}
