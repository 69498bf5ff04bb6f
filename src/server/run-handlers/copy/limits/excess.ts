import type { ExceededLimit } from '../../../../contract/run-limits/calls.ts'
import { runLimitMessages as messages } from '../../../../contract/run-limits/server-messages.ts'

/** A limit that a run would exceed: the end of a sentence that begins with "Would", and the allowed number; null: none. */
export type Excess = { kind: ExceededLimit['kind']; act: string; limit: number | null }

/** An exceeded limit as a plan stores it. */
export const describeLimit = (excess: Excess): ExceededLimit => ({
  kind: excess.kind,
  text: messages.one(excess),
})

/** All exceeded limits in one sentence. */
export function limitSentence(exceeded: readonly Excess[]): string {
  const [first, ...others] = exceeded
  return first && others.length === 0 ? messages.one(first) : messages.all(exceeded)
}
