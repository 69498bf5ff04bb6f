import { setTimeout as delay } from 'node:timers/promises'
import type { TestProcess } from './processes.ts'

/** Numbers from 0 to 1, determined by the seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// A minimum, because a busy machine starts processes slowly.
const MIN_FAULTS = 8

type Chaos<Member> = {
  random: () => number
  /** Duration; extended until MIN_FAULTS have happened. */
  milliseconds: number
  /** Starts a replacement for a killed process. */
  replace: (dead: Member) => Promise<Member>
}

/** Kills processes with SIGKILL, or freezes them for 1 to 13 s, one every few seconds; returns how often. */
export async function chaos<Member extends TestProcess>(
  members: Member[],
  { random, milliseconds, replace }: Chaos<Member>,
): Promise<{ killed: number; frozen: number }> {
  const over = performance.now() + milliseconds
  const counts = { killed: 0, frozen: 0 }
  while (performance.now() < over || counts.killed + counts.frozen < MIN_FAULTS) {
    await delay(1000 + random() * 3000)
    const place = Math.floor(random() * members.length)
    const victim = members[place]
    if (!victim) throw new Error('There is no process to kill')
    if (random() < 0.5) {
      await victim.end('SIGKILL')
      members[place] = await replace(victim)
      counts.killed += 1
    } else {
      victim.kill('SIGSTOP')
      await delay(1000 + random() * 12_000)
      victim.kill('SIGCONT')
      counts.frozen += 1
    }
  }
  return counts
}
