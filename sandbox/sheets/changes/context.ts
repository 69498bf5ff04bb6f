/** What a write does that starts inside the grid and reaches beyond it; what the real service does is not known for sure. */
export type Overflow = 'refuse' | 'grow'

/** What a change may know beside its arguments: the same again when the journal is replayed. */
export interface Context {
  readonly at: Date
  /** Whole number from 0 to 2^31 - 1, another one at each call. */
  readonly random: () => number
  readonly overflow: Overflow
  /** Who asks; nobody where the sandbox itself does (its page, demo data). */
  readonly by: string | undefined
}

/** The context of the change made at `at` (RFC 3339) with that seed; equal seeds give equal numbers (mulberry32). */
export function contextOf({
  at,
  seed,
  overflow = 'refuse',
  by,
}: {
  at: string
  seed: number
  overflow?: Overflow | undefined
  by?: string | undefined
}): Context {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 1
  }
  return { at: new Date(at), random, overflow, by }
}
