/**
 * Estimates the offset of the server's clock from the Date headers of replies. A header has a resolution of one second and a reply
 * takes some time, so each gives a lower and an upper bound. Milliseconds.
 */
export class ServerClock {
  #offset = 0

  /** `date` from the reply's header; `sent` and `received` by the browser's clock. */
  note(date: string | null, sent: number, received: number): void {
    const stamp = Date.parse(date ?? '')
    if (Number.isNaN(stamp)) return
    const [min, max] = [stamp - received, stamp + 1000 - sent]
    // Unchanged while within the bounds: frequent small corrections would make seconds jump.
    if (this.#offset < min || this.#offset > max) this.#offset = (min + max) / 2
  }

  at = (browser: number): number => browser + this.#offset
}

const clock = new ServerClock()

/** Records the date of a reply. */
export const noteServerTime = (date: string | null, sent: number) => clock.note(date, sent, Date.now())

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = () => clock.at(Date.now())
