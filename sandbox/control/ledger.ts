export type LedgerEntry = {
  id: number
  /** Arrival time of the request. */
  at: string
  account: string
  user_agent: string
  kind: 'read' | 'write'
  method: string
  path: string
  spreadsheet_id: string | null
  ranges: string[]
  cells: number
  /** 0 if the client received no reply. */
  status: number
  applied: boolean
}

const kept = 100_000

/** Log of Sheets API requests in order of completion. */
export class Ledger {
  #entries: LedgerEntry[] = []
  #lastId = 0

  record(entry: Omit<LedgerEntry, 'id'>): void {
    this.#lastId += 1
    this.#entries.push({ id: this.#lastId, ...entry })
    // Removes 10 % at a time, so that the amortized cost per request is constant.
    if (this.#entries.length > kept * 1.1) this.#entries = this.#entries.slice(-kept)
  }

  /** Returns entries after `id`, oldest first, optionally of one spreadsheet. */
  entries(after = 0, spreadsheetId?: string): LedgerEntry[] {
    return this.#entries.filter(
      (entry) => entry.id > after && (spreadsheetId === undefined || entry.spreadsheet_id === spreadsheetId),
    )
  }

  reset(): void {
    this.#entries = []
  }
}
