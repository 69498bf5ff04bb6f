/** A run that is due, and what it is expected to take. Times in milliseconds. */
export type PlannedRun = {
  task_id: number
  /** 0: without a type. */
  type_id: number
  due_at: number
  seconds: number
  reads: number
  writes: number
  /** Accounts that its requests may use. */
  accounts: readonly string[]
}

/** What decides when queued runs of a type may start. */
export type TypeRules = {
  slots: number
  priority: number
  /** Minimum time between two starts. */
  delay_seconds: number
  /** Types whose earlier runs have to end first. */
  depends_on: readonly number[]
}

export type SimulationLimits = {
  quota: { account: number; project: number; window_ms: number }
  /** Runs that all workers execute at the same time. */
  capacity: number
}

/** What a run waited for, in milliseconds. */
export type Waits = { prerequisites: number; slot: number; quota: number }
export type SimulatedRun = { run: PlannedRun; started_at: number; finished_at: number; waits: Waits }

type Live = SimulatedRun & { place: number; left: number; granted: number }
type Lane = { limit: number; grants: number[] }

const DEFAULT_RULES: TypeRules = { slots: 1, priority: 0, delay_seconds: 0, depends_on: [] }

/**
 * Carries out runs on a simulated clock under the rules of admission and of the quota: types have slots and prerequisites, a task runs
 * once at a time, and each request starts when its account and the project allow it in every window. `runs` are in the order in which
 * they are queued. A run that is due while its task is live is left out, since it is missed.
 */
export function simulateRuns(
  runs: readonly PlannedRun[],
  types: ReadonlyMap<number, TypeRules>,
  limits: SimulationLimits,
): SimulatedRun[] {
  return new Simulation(runs, types, limits).results()
}

class Simulation {
  readonly #runs: readonly PlannedRun[]
  readonly #types: ReadonlyMap<number, TypeRules>
  readonly #limits: SimulationLimits
  /** Places of queued runs by type. */
  readonly #queues = new Map<number, number[]>()
  /** Places of queued and running runs by type, in order. */
  readonly #live = new Map<number, Set<number>>()
  readonly #at_work = new Map<number, number>()
  readonly #last_start = new Map<number, number>()
  readonly #live_tasks = new Set<number>()
  /** What the first queued run of a type waits for, and the waits of the type so far. */
  readonly #blocked = new Map<number, { at: number; by: keyof Waits | null; total: Waits }>()
  readonly #lanes = new Map<string, Lane>()
  readonly #events = new Heap()
  /** Waits of the type until a run was queued, by the place of the run. */
  readonly #waits = new Map<number, Waits>()
  readonly #done: SimulatedRun[] = []
  #next = 0
  #working = 0

  constructor(runs: readonly PlannedRun[], types: ReadonlyMap<number, TypeRules>, limits: SimulationLimits) {
    this.#runs = runs
    this.#types = types
    this.#limits = limits
  }

  results(): SimulatedRun[] {
    for (;;) {
      const due = this.#runs[this.#next]?.due_at ?? Number.POSITIVE_INFINITY
      const event = this.#events.peek()
      const now = Math.min(due, event?.at ?? Number.POSITIVE_INFINITY)
      if (now === Number.POSITIVE_INFINITY) return this.#done
      let is_admission = false
      while ((this.#runs[this.#next]?.due_at ?? Number.POSITIVE_INFINITY) <= now) {
        this.#queue(this.#next, now)
        this.#next += 1
        is_admission = true
      }
      for (let next = this.#events.peek(); next && next.at <= now; next = this.#events.peek()) {
        this.#events.pop()
        if (next.live === null) is_admission = true
        else if (this.#step(next.live, now)) is_admission = true
      }
      if (is_admission) this.#admit(now)
    }
  }

  #rules(type_id: number): TypeRules {
    return this.#types.get(type_id) ?? DEFAULT_RULES
  }

  #queue(place: number, now: number): void {
    const run = this.#runs[place]
    if (!run || this.#live_tasks.has(run.task_id)) return
    this.#live_tasks.add(run.task_id)
    this.#waits.set(place, { ...this.#waitsOf(run.type_id, now) })
    push(this.#queues, run.type_id, place)
    const live = this.#live.get(run.type_id)
    if (live) live.add(place)
    else this.#live.set(run.type_id, new Set([place]))
  }

  #admit(now: number): void {
    const types = [...this.#queues.keys()]
      .filter((type_id) => (this.#queues.get(type_id)?.length ?? 0) > 0)
      .sort((a, b) => this.#rules(b).priority - this.#rules(a).priority)
    for (const type_id of types) {
      const queue = this.#queues.get(type_id) ?? []
      for (let place = queue[0]; place !== undefined; place = queue[0]) {
        const blocked = this.#blocker(type_id, place, now)
        this.#waitsOf(type_id, now, blocked)
        if (blocked) break
        queue.shift()
        this.#start(place, now)
      }
    }
  }

  /** Adds the time since the last call to the waits of a type, and notes what its queued runs wait for from now on. */
  #waitsOf(type_id: number, now: number, by?: keyof Waits | null): Waits {
    const known = this.#blocked.get(type_id) ?? {
      at: now,
      by: null,
      total: { prerequisites: 0, slot: 0, quota: 0 },
    }
    if (known.by) known.total[known.by] += now - known.at
    known.at = now
    if (by !== undefined) known.by = by
    this.#blocked.set(type_id, known)
    return known.total
  }

  #blocker(type_id: number, place: number, now: number): keyof Waits | null {
    const { slots, delay_seconds, depends_on } = this.#rules(type_id)
    for (const prerequisite of depends_on) {
      const first = this.#live.get(prerequisite)?.values().next().value
      if (first !== undefined && first < place) return 'prerequisites'
    }
    if ((this.#at_work.get(type_id) ?? 0) >= slots || this.#working >= this.#limits.capacity) return 'slot'
    const next_start = (this.#last_start.get(type_id) ?? Number.NEGATIVE_INFINITY) + delay_seconds * 1000
    if (now < next_start) {
      this.#events.push({ at: next_start, live: null })
      return 'slot'
    }
    return null
  }

  #start(place: number, now: number): void {
    const run = this.#runs[place]
    const before = this.#waits.get(place)
    if (!run || !before) return
    const total = this.#waitsOf(run.type_id, now)
    const waits = {
      prerequisites: total.prerequisites - before.prerequisites,
      slot: total.slot - before.slot,
      quota: 0,
    }
    this.#waits.delete(place)
    this.#at_work.set(run.type_id, (this.#at_work.get(run.type_id) ?? 0) + 1)
    this.#last_start.set(run.type_id, now)
    this.#working += 1
    const left = run.reads + run.writes
    const live = { run, place, waits, started_at: now, finished_at: now, left, granted: 0 }
    this.#events.push({ at: left === 0 ? now + run.seconds * 1000 : now, live })
  }

  /** Sends the next request of a run, or ends it. True: it has ended. */
  #step(live: Live, now: number): boolean {
    const { run, place, waits } = live
    if (live.left > 0) {
      const kind = live.granted < run.reads ? 'read' : 'write'
      const at = this.#grant(kind, run.accounts, now)
      waits.quota += at - now
      live.left -= 1
      live.granted += 1
      this.#events.push({ at: at + (run.seconds * 1000) / (run.reads + run.writes), live })
      return false
    }
    this.#done.push({ run, waits, started_at: live.started_at, finished_at: now })
    this.#at_work.set(run.type_id, (this.#at_work.get(run.type_id) ?? 1) - 1)
    this.#working -= 1
    this.#live_tasks.delete(run.task_id)
    this.#live.get(run.type_id)?.delete(place)
    return true
  }

  /** When a request may start: at most so many within any window, for the account and the project. */
  #grant(kind: string, accounts: readonly string[], now: number): number {
    const { account, project } = this.#limits.quota
    const whole = this.#lane(kind, project)
    const lanes = (accounts.length > 0 ? accounts : ['']).map((name) =>
      this.#lane(`${kind} ${name}`, account),
    )
    const least = lanes.reduce((best, lane) => (this.#free(lane) < this.#free(best) ? lane : best))
    const at = Math.max(now, this.#free(least), this.#free(whole))
    for (const lane of [least, whole]) {
      lane.grants.push(at)
      if (lane.grants.length > lane.limit) lane.grants.shift()
    }
    return at
  }

  #lane(name: string, limit: number): Lane {
    const known = this.#lanes.get(name) ?? { limit, grants: [] }
    this.#lanes.set(name, known)
    return known
  }

  #free({ limit, grants }: Lane): number {
    const oldest = grants.length < limit ? undefined : grants[0]
    return oldest === undefined ? Number.NEGATIVE_INFINITY : oldest + this.#limits.quota.window_ms
  }
}

function push(queues: Map<number, number[]>, key: number, place: number): void {
  const queue = queues.get(key)
  if (queue) queue.push(place)
  else queues.set(key, [place])
}

/** A step of a run, or a time at which a type may start its next run. */
type Event = { at: number; live: Live | null }

/** Events by time; at the same time in the order in which they were added. */
class Heap {
  readonly #items: (Event & { order: number })[] = []
  #order = 0

  peek(): Event | undefined {
    return this.#items[0]
  }

  push(event: Event): void {
    const items = this.#items
    items.push({ ...event, order: this.#order })
    this.#order += 1
    for (let at = items.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = [left, right].reduce((best, one) => (this.#isBefore(one, best) ? one : best), at)
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#items[one], this.#items[other]]
    return a !== undefined && b !== undefined && (a.at - b.at || a.order - b.order) < 0
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#items[one], this.#items[other]]
    if (a && b) {
      this.#items[one] = b
      this.#items[other] = a
    }
  }
}
