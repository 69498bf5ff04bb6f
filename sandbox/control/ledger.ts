export type LedgerEntry = {
  id: number
  /** When the request arrived. */
  at: string
  account: string
  user_agent: string
  kind: 'read' | 'write'
  method: string
  path: string
  spreadsheet_id: string | null
  ranges: string[]
  cells: number
  /** 0 when no answer reached the caller. */
  status: number
  applied: boolean
}

const kept = 100_000

/** What was asked of the Sheets API and what was applied, in the order in which it was done. */
export class Ledger {
  #entries: LedgerEntry[] = []
  #lastId = 0

  record(entry: Omit<LedgerEntry, 'id'>): void {
    this.#lastId += 1
    this.#entries.push({ id: this.#lastId, ...entry })
    // Cutting a tenth at a time keeps the cost of one request constant.
    if (this.#entries.length > kept * 1.1) this.#entries = this.#entries.slice(-kept)
  }

  /** Entries after `id`, oldest first; of one spreadsheet if named. */
  entries(after = 0, spreadsheetId?: string): LedgerEntry[] {
    return this.#entries.filter(
      (entry) => entry.id > after && (spreadsheetId === undefined || entry.spreadsheet_id === spreadsheetId),
    )
  }

  reset(): void {
    this.#entries = []
  }
}
