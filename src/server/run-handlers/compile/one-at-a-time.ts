import { untilAborted } from '../../engine/until-aborted.ts'

/** Does what it is given one after the other, in the order in which it is asked. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** Rejects with the signal's reason where that is aborted before the turn comes. */
  async do<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = before.then(() => promise)
    try {
      await untilAborted(before, signal)
      return await work()
    } finally {
      resolve()
    }
  }
}
