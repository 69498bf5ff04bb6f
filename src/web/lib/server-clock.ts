/**
 * The server's clock, as far as the dates of its replies tell: they name a second, and the reply was under way for a while,
 * so the truth lies between two bounds. Milliseconds.
 */
export class ServerClock {
  #offset = 0

  /** `date` as a reply's header has it; `sent` and `received` by the browser's clock. */
  note(date: string | null, sent: number, received: number): void {
    const stamp = Date.parse(date ?? '')
    if (Number.isNaN(stamp)) return
    const [least, most] = [stamp - received, stamp + 1000 - sent]
    // Within the bounds it is left alone: a clock that is corrected to and fro would make seconds jump.
    if (this.#offset < least || this.#offset > most) this.#offset = (least + most) / 2
  }

  at = (browser: number): number => browser + this.#offset
}

const clock = new ServerClock()

/** Takes note of a reply's date. */
export const noteServerTime = (date: string | null, sent: number) => clock.note(date, sent, Date.now())

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = () => clock.at(Date.now())
