type Remembered = { body: Buffer; spreadsheetId: string; old: boolean }

/** Cache of earlier read replies, so that a read after a write can return stale data. */
export class StaleReads {
  readonly #answers = new Map<string, Remembered>()

  remember(url: string, spreadsheetId: string, body: Buffer): void {
    this.#answers.set(url, { body, spreadsheetId, old: false })
  }

  wrote(spreadsheetId: string): void {
    for (const answer of this.#answers.values()) if (answer.spreadsheetId === spreadsheetId) answer.old = true
  }

  /** Reply of the same read before the last write; undefined if there was no write since, or no earlier read. */
  before(url: string): Buffer | undefined {
    const answer = this.#answers.get(url)
    return answer?.old ? answer.body : undefined
  }

  reset(): void {
    this.#answers.clear()
  }
}
