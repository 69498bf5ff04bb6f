import type { TimelineRun, TimelineType } from '../../../../contract/all-runs/calls.ts'

/** What a run does for a while: it waits for something, or works. */
export type SegmentKind = 'queue' | 'prerequisites' | 'quota' | 'backoff' | 'retry' | 'work'
/** Moments in milliseconds since 1970. */
export type Segment = { kind: SegmentKind; from: number; to: number }

export const segmentLabels: Record<SegmentKind, string> = {
  queue: 'Waiting in the queue',
  prerequisites: 'Waiting for prerequisites',
  quota: 'Waiting for quota',
  backoff: 'Waiting after a failed request',
  retry: 'Waiting for the next attempt',
  work: 'Working',
}

type Timed = Pick<TimelineRun, 'queued_at' | 'started_at' | 'finished_at' | 'inputs_until' | 'waits'>

/**
 * Splits the time of a run, from its queueing to its end or `now`, into waits and work, without gaps. `prerequisites_until`: when the
 * last run ended that its type had to wait for; null: none.
 */
export function segmentsOf(run: Timed, prerequisites_until: number | null, now: number): Segment[] {
  const queued = Date.parse(run.queued_at)
  const end = Math.max(queued, run.finished_at === null ? now : Date.parse(run.finished_at))
  const started = run.started_at === null ? end : clamp(Date.parse(run.started_at), queued, end)
  const inputs = run.inputs_until === null ? queued : Date.parse(run.inputs_until)
  const ready = clamp(Math.max(inputs, prerequisites_until ?? queued), queued, started)
  const segments: Segment[] = []
  const add = (kind: SegmentKind, from: number, to: number) => {
    if (to > from) segments.push({ kind, from, to })
  }
  add('prerequisites', queued, ready)
  add('queue', ready, started)
  let at = started
  for (const wait of run.waits) {
    const from = clamp(Date.parse(wait.from), at, end)
    const to = wait.to === null ? end : clamp(Date.parse(wait.to), from, end)
    add('work', at, from)
    add(wait.for, from, to)
    at = to
  }
  add('work', at, end)
  return segments
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** Seconds of each kind, in the order of the first. */
export function secondsByKind(segments: readonly Segment[]): { kind: SegmentKind; seconds: number }[] {
  const seconds = new Map<SegmentKind, number>()
  for (const { kind, from, to } of segments) seconds.set(kind, (seconds.get(kind) ?? 0) + (to - from) / 1000)
  return [...seconds].map(([kind, sum]) => ({ kind, seconds: sum }))
}

/**
 * When the prerequisites of each run were over, by run id: the latest end of the runs of the types that its type depends on, among
 * those with a lower id, as admission decides. Runs that waited for none are left out. A live prerequisite counts as `now`.
 */
export function prerequisitesOf(
  runs: readonly Pick<TimelineRun, 'id' | 'task_type_id' | 'queued_at' | 'finished_at'>[],
  types: readonly TimelineType[],
  now: number,
): Map<number, number> {
  const ends = new Map<number, { ids: number[]; latest: number[] }>()
  const awaited = new Set(types.flatMap(({ depends_on }) => depends_on))
  for (const run of runs.toSorted((one, other) => one.id - other.id)) {
    if (run.task_type_id === null || !awaited.has(run.task_type_id)) continue
    const of_type = ends.get(run.task_type_id) ?? { ids: [], latest: [] }
    const end = run.finished_at === null ? now : Date.parse(run.finished_at)
    of_type.ids.push(run.id)
    of_type.latest.push(Math.max(end, of_type.latest.at(-1) ?? 0))
    ends.set(run.task_type_id, of_type)
  }
  const depends = new Map(types.map(({ id, depends_on }) => [id, depends_on]))
  const until = new Map<number, number>()
  for (const run of runs) {
    const others = (run.task_type_id !== null && depends.get(run.task_type_id)) || []
    const latest = Math.max(0, ...others.map((type) => latestBefore(ends.get(type), run.id)))
    if (latest > Date.parse(run.queued_at)) until.set(run.id, latest)
  }
  return until
}

/** Latest end among the runs with an id below `id`; 0: there is none. */
function latestBefore(of: { ids: number[]; latest: number[] } | undefined, id: number): number {
  if (!of) return 0
  let [low, high] = [0, of.ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((of.ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return of.latest[low - 1] ?? 0
}
