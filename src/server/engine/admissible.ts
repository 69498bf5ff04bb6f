/** How many runs of a type may be at work at once, how many are, and how far apart they start. */
export type TypeSlots = {
  allowed_concurrent_tasks: number
  at_work: number
  queue_delay_seconds: number
  last_admitted_at: Date | null
}

/** A task type with queued runs, as admission sees it; type 0 stands for tasks without a type. */
export type TypeAdmissionState = TypeSlots & {
  id: number
  priority: number
  /** Tasks of its prerequisite types that ended in a way that its conditions do not accept. */
  unmet: readonly string[]
}

/**
 * A queued run whose time has come, whose exclusive key no run at work has, and which waits for no run of a prerequisite type or of an
 * input.
 * (Those that do not qualify are left in the database, so that a long queue is not read at every admission.)
 */
export type AdmissionCandidate = {
  id: number
  type_id: number
  sort_order: number
  exclusive_key: string | null
}

export type Verdict = {
  admit: number[]
  refuse: { run_id: number; message: string }[]
  /** When a type's delay lets its next run start; null if no delay stands in the way. */
  next_at: Date | null
}

/** How many more runs of a type may start now: its free slots, one at most where a delay spaces them. */
export function freeSlots(type: TypeSlots, now: Date): number {
  const free = Math.max(0, type.allowed_concurrent_tasks - type.at_work)
  if (type.queue_delay_seconds === 0) return free
  const opens = opensAt(type)
  return opens !== null && opens > now ? 0 : Math.min(free, 1)
}

/** When a type's delay lets its next run start; null if none has started yet. */
export const opensAt = ({ last_admitted_at, queue_delay_seconds }: TypeSlots): Date | null =>
  last_admitted_at && new Date(last_admitted_at.getTime() + queue_delay_seconds * 1000)

/** Which queued runs start now, in their order, and which never will because a prerequisite was not met. */
export function admissible({
  types,
  runs,
  now,
}: {
  types: readonly TypeAdmissionState[]
  runs: readonly AdmissionCandidate[]
  now: Date
}): Verdict {
  const byId = new Map(types.map((type) => [type.id, { type, free: freeSlots(type, now) }]))
  const taken = new Set<string>()
  const verdict: Verdict = { admit: [], refuse: [], next_at: null }
  const priority = ({ type_id }: AdmissionCandidate) => byId.get(type_id)?.type.priority ?? 0
  const ordered = runs.toSorted(
    (a, b) => priority(b) - priority(a) || a.sort_order - b.sort_order || a.id - b.id,
  )
  for (const run of ordered) {
    const gate = byId.get(run.type_id)
    if (!gate) continue
    if (gate.type.unmet.length > 0) {
      verdict.refuse.push({ run_id: run.id, message: unmetMessage(gate.type.unmet) })
    } else if (gate.free > 0 && !(run.exclusive_key !== null && taken.has(run.exclusive_key))) {
      gate.free -= 1
      if (run.exclusive_key !== null) taken.add(run.exclusive_key)
      verdict.admit.push(run.id)
    }
  }
  verdict.next_at = nextOpening(types, now)
  return verdict
}

// A type that is full opens when a run ends, which is announced; only a delay ends without a word.
function nextOpening(types: readonly TypeAdmissionState[], now: Date): Date | null {
  const moments = types
    .filter((type) => type.at_work < type.allowed_concurrent_tasks && type.queue_delay_seconds > 0)
    .map((type) => opensAt(type)?.getTime() ?? 0)
    .filter((moment) => moment > now.getTime())
  return moments.length ? new Date(Math.min(...moments)) : null
}

const NAMED = 5

/** "Prerequisite not met: Prices (failed), Stock (stopped)"; names five at most. */
export function unmetMessage(unmet: readonly string[]): string {
  const rest = unmet.length - NAMED
  return `Prerequisite not met: ${unmet.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
