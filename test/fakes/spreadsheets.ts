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

/** A person's view of the spreadsheets of a local Google. */
export class Spreadsheets {
  root = ''
  readonly #auth = new OAuth2Client()
  api: sheets_v4.Sheets = sheets({ version: 'v4', auth: this.#auth })

  /** Works with the Google that answers there, as the person whose access token this gets: one lasts an hour, a soak longer. */
  connect(root: string, accessToken: () => Promise<string>): void {
    this.root = root
    this.#auth.setCredentials({})
    this.#auth.refreshHandler = async () => ({
      access_token: await accessToken(),
      expiry_date: Date.now() + TOKEN_LASTS_MS,
    })
    this.api = sheets({ version: 'v4', auth: this.#auth, rootUrl: `${root}/`, retry: false })
  }

  /** A spreadsheet with tabs that hold these rows; each has room for a few more. */
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

  /** Writes values as they are. */
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

  /** Typed values of a tab, as the API answers them. */
  async values(spreadsheetId: string, range: string): Promise<unknown[][]> {
    const { data } = await this.api.spreadsheets.values.get({
      spreadsheetId,
      range,
      valueRenderOption: 'UNFORMATTED_VALUE',
    })
    return data.values ?? []
  }

  /** Sets number formats in row 2 of the first tab, column by column; undefined leaves one as it is. */
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

  /** The entered values of row 2 of a tab and their formats, as the API returns them. */
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

  /** Leaves a spreadsheet room for so many cells more. */
  async fillUp(spreadsheetId: string, free: number): Promise<void> {
    const { data } = await this.api.spreadsheets.get({ spreadsheetId })
    const used = (data.sheets ?? []).reduce((cells, { properties }) => {
      const { rowCount, columnCount } = properties?.gridProperties ?? {}
      return cells + (rowCount ?? 0) * (columnCount ?? 0)
    }, 0)
    const gridProperties = { rowCount: 10_000_000 - used - free, columnCount: 1 }
    await this.batch(spreadsheetId, { addSheet: { properties: { title: 'Filler', gridProperties } } })
  }

  /** The requests to Google and their outcomes, oldest first. */
  async ledger() {
    return Ledger.parse(await control(this.root, 'GET', 'ledger')).entries
  }

  /** Faults that have not yet occurred as often as they were set to. */
  async faultsLeft(): Promise<number> {
    return z.object({ faults: z.array(z.unknown()) }).parse(await control(this.root, 'GET', 'faults')).faults
      .length
  }

  /** Lets each request for values of a spreadsheet take its time from now on. */
  async slowReads(spreadsheet_id: string): Promise<void> {
    await this.faults({
      kind: 'latency',
      ms: 10,
      match: { method: 'spreadsheets.values.get', spreadsheet_id },
    })
  }

  /** Requests for values of a spreadsheet so far. */
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
