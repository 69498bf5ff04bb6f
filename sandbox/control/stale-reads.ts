type Remembered = { body: Buffer; spreadsheetId: string; old: boolean }

/** Answers of earlier reads, so that a read after a write can be answered as if the write had not arrived yet. */
export class StaleReads {
  readonly #answers = new Map<string, Remembered>()

  remember(url: string, spreadsheetId: string, body: Buffer): void {
    this.#answers.set(url, { body, spreadsheetId, old: false })
  }

  wrote(spreadsheetId: string): void {
    for (const answer of this.#answers.values()) if (answer.spreadsheetId === spreadsheetId) answer.old = true
  }

  /** What the same read gave before the last write; undefined when nothing was written since, or nothing read before. */
  before(url: string): Buffer | undefined {
    const answer = this.#answers.get(url)
    return answer?.old ? answer.body : undefined
  }

  reset(): void {
    this.#answers.clear()
  }
}
