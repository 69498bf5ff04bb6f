/** Behaviour of a write that starts inside the grid and extends beyond it. Google's behaviour is not documented. */
export type Overflow = 'refuse' | 'grow'

/** Context of a change in addition to its arguments, identical during journal replay. */
export interface Context {
  readonly at: Date
  /** Returns the next random integer from 0 to 2^31 - 1. */
  readonly random: () => number
  readonly overflow: Overflow
  /** Account of the caller; undefined for the sandbox itself (page, demo data). */
  readonly by: string | undefined
}

/** Context of a change at `at` (RFC 3339). Equal seeds give equal numbers (mulberry32). */
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
