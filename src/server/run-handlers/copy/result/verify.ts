import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import type { Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'

type Deps = {
  context: RunContext
  target: Target
  /** Delays before each repeated read of a target that does not show the written rows yet; milliseconds. */
  stale_waits_ms: number[]
  /** Reads the target and compares it with the copy. */
  readAndCompare: () => Promise<Difference>
  /** Writes the differing rows again. */
  repair: (difference: Difference) => Promise<void>
}

/**
 * Reads the target back and compares it with the copy. Repairs differences once. Throws RunFailure if values are still missing or
 * left over; warns if the provider stores other values.
 */
export async function verify(deps: Deps): Promise<Difference> {
  const { context, target, repair } = deps
  for (let repaired = false; ; repaired = true) {
    const difference = await readBack(deps)
    if (difference.cells_changed === 0) return difference
    const deviating = differingCells(difference, target.address)
    if (repaired) {
      if (difference.cells === null || difference.hasBlanks) {
        throw new RunFailure(`${target.title} does not hold what was written: ${deviating}.`, {
          retryable: true,
        })
      }
      await context.warn({
        kind: 'stored-otherwise',
        subject: deviating,
        message: `${target.provider} stores other values than were written in ${deviating}.`,
      })
      return difference
    }
    await context.log(
      'WARNING',
      `${target.title} does not hold what was written: ${deviating}. Writing again.`,
    )
    await repair(difference)
  }
}

async function readBack({ context, readAndCompare, stale_waits_ms }: Deps): Promise<Difference> {
  let difference = await readAndCompare()
  for (const pause of stale_waits_ms) {
    if (difference.cells_changed === 0) break
    // A read directly after a large write can be stale.
    await sleep(pause, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    difference = await readAndCompare()
  }
  return difference
}
