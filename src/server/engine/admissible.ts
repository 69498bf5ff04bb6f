/** How many runs of a type may execute at once, how many do, and the minimum delay between their starts. */
export type TypeSlots = {
  allowed_concurrent_tasks: number
  at_work: number
  queue_delay_seconds: number
  last_admitted_at: Date | null
}

/** Admission state of a task type with queued runs; type 0 stands for tasks without a type. */
export type TypeAdmissionState = TypeSlots & {
  id: number
  priority: number
  /** Tasks of its prerequisite types whose last run does not satisfy the condition. */
  unmet: readonly string[]
}

/**
 * A queued run that is due, has a worker, whose exclusive key is free, and that waits for no prerequisite or input
 * run. The query filters for that, so that a long queue is not read at every admission.
 */
export type AdmissionCandidate = {
  id: number
  type_id: number
  sort_order: number
  exclusive_key: string | null
}

/** `admit`: runs that start now, in order; `unmet`: runs that fail because a prerequisite was not met. */
export type AdmissionDecision = {
  admit: number[]
  unmet: { run_id: number; message: string }[]
  /** When a type's delay ends and its next run may start; null if no delay applies. */
  next_at: Date | null
}

/** First word of a key that excludes all keys with the same second word, and is excluded by each of them. */
export const WHOLE = 'whole '

const wholeKeyOf = (key: string): string => `${WHOLE}${key.split(' ')[1] ?? ''}`

/** How many more runs of a type may start now: its free slots, at most one if the type has a start delay. */
export function freeSlots(type: TypeSlots, now: Date): number {
  const free = Math.max(0, type.allowed_concurrent_tasks - type.at_work)
  if (type.queue_delay_seconds === 0) return free
  const opens = opensAt(type)
  return opens !== null && opens > now ? 0 : Math.min(free, 1)
}

/** When a type's delay ends; null if no run of it has started yet. */
export const opensAt = ({ last_admitted_at, queue_delay_seconds }: TypeSlots): Date | null =>
  last_admitted_at && new Date(last_admitted_at.getTime() + queue_delay_seconds * 1000)

/** Decides which queued runs start now, in order, and which fail because a prerequisite was not met. */
export function admissible({
  types,
  runs,
  now,
}: {
  types: readonly TypeAdmissionState[]
  runs: readonly AdmissionCandidate[]
  now: Date
}): AdmissionDecision {
  const byId = new Map(types.map((type) => [type.id, { type, free: freeSlots(type, now) }]))
  const taken = new Set<string>()
  const decision: AdmissionDecision = { admit: [], unmet: [], next_at: null }
  const priority = ({ type_id }: AdmissionCandidate) => byId.get(type_id)?.type.priority ?? 0
  const ordered = runs.toSorted(
    (a, b) => priority(b) - priority(a) || a.sort_order - b.sort_order || a.id - b.id,
  )
  const isTaken = (key: string | null) =>
    key !== null &&
    [...taken].some((other) => [key, wholeKeyOf(key)].includes(other) || wholeKeyOf(other) === key)
  for (const run of ordered) {
    const of_type = byId.get(run.type_id)
    if (!of_type) continue
    if (of_type.type.unmet.length > 0) {
      decision.unmet.push({ run_id: run.id, message: unmetMessage(of_type.type.unmet) })
    } else if (of_type.free > 0 && !isTaken(run.exclusive_key)) {
      of_type.free -= 1
      if (run.exclusive_key !== null) taken.add(run.exclusive_key)
      decision.admit.push(run.id)
    }
  }
  decision.next_at = nextOpening(types, now)
  return decision
}

// When a type is full, the notification of a run's end wakes admission. The end of a delay sends no notification.
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
