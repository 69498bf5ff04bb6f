import { untilAborted } from '../../engine/until-aborted.ts'

/** Runs one job at a time, in the order in which they are added. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** Rejects with the signal's reason if the signal is aborted while the job waits. */
  async run<Result>(job: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = before.then(() => promise)
    try {
      await untilAborted(before, signal)
      return await job()
    } finally {
      resolve()
    }
  }
}
