import type { TimelineRun, TimelineType } from '../../../../contract/all-runs/calls.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { nameOfRun } from '../components/run-labels.ts'
import { prerequisitesOf, type Segment, segmentsOf } from './segments.ts'

/** One run on the axis. `lane` counts from 0 at the top of its row. */
export type Bar = { run: TimelineRun; from: number; to: number; lane: number; segments: Segment[] }

/** A type with all runs of its tasks, or below it one of these tasks. `bars` are in order of their begin. */
export type Row = {
  key: string
  kind: 'type' | 'task'
  label: string
  category: TaskCategory
  bars: Bar[]
  lanes: number
  height: number
  /** Of a type: whether its tasks are hidden, and how many have runs. */
  folded: boolean
  tasks: number
}

// Runs of a type that overlap lie below each other, up to so many.
const MAX_LANES = 8
const TYPE_PX = 38
const LANE_PX = 9
const ROOM_PX = 12
const TASK_PX = 28

// The way that rows take.
const order: readonly TaskCategory[] = ['source', 'compiler', 'sync']
const untyped: Record<TaskCategory, string> = {
  source: 'Source tasks without a type',
  compiler: 'Compiles',
  sync: 'Sync tasks without a type',
}

/** Rows of the timeline: types in the order in which rows flow, and the tasks of those that are unfolded. */
export function rowsOf(
  runs: readonly TimelineRun[],
  types: readonly TimelineType[],
  {
    unfolded,
    now,
    known = runs,
  }: { unfolded: ReadonlySet<string>; now: number; known?: readonly TimelineRun[] },
): Row[] {
  const until = prerequisitesOf(known, types, now)
  const names = new Map(types.map((type, place) => [type.id, { name: type.name, place }]))
  const groups = Map.groupBy(runs, ({ category, task_type_id }) => `${category} ${task_type_id ?? 0}`)
  const rank = ({ category, task_type_id }: TimelineRun) =>
    order.indexOf(category) * 1_000_000 + (names.get(task_type_id ?? 0)?.place ?? 999_999)
  return [...groups]
    .flatMap(([key, of_type]) => (of_type[0] ? [{ key, of_type, first: of_type[0] }] : []))
    .toSorted((one, other) => rank(one.first) - rank(other.first))
    .flatMap(({ key, of_type, first: { category, task_type_id } }) => {
      const bars = of_type.map((run) => barOf(run, until.get(run.id) ?? null, now))
      const tasks = Map.groupBy(bars, ({ run }) => `${key} ${run.task_id ?? run.task_name}`)
      const folded = !unfolded.has(key)
      const label = names.get(task_type_id ?? 0)?.name ?? untyped[category]
      const type = row({ key, kind: 'type', label, category, bars, folded, tasks: tasks.size })
      return folded ? [type] : [type, ...taskRows(tasks, category)]
    })
}

const taskRows = (tasks: ReadonlyMap<string, Bar[]>, category: TaskCategory): Row[] =>
  [...tasks]
    .map(([key, bars]) =>
      row({ key, kind: 'task', label: nameOf(bars), category, bars, folded: false, tasks: 0 }),
    )
    .toSorted((one, other) => one.label.localeCompare(other.label))

// Runs are newest first: the task's name as it was last.
const nameOf = (bars: readonly Bar[]) => (bars[0] ? nameOfRun(bars[0].run) : '')

function barOf(run: TimelineRun, until: number | null, now: number): Bar {
  const segments = segmentsOf(run, until, now)
  const from = Date.parse(run.queued_at)
  return { run, from, to: segments.at(-1)?.to ?? from, lane: 0, segments }
}

function row({ bars, ...rest }: Omit<Row, 'lanes' | 'height'>): Row {
  const { placed, lanes } = inLanes(bars)
  const height = rest.kind === 'task' ? TASK_PX : Math.max(TYPE_PX, ROOM_PX + lanes * LANE_PX)
  return { ...rest, bars: placed, lanes, height }
}

/** Gives each bar the first lane that is free when it begins; with all lanes taken, the one that is free first. */
export function inLanes(bars: readonly Bar[]): { placed: Bar[]; lanes: number } {
  const ends: number[] = []
  const placed = bars
    .toSorted((one, other) => one.from - other.from || one.run.id - other.run.id)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.from)
      const lane = free >= 0 ? free : ends.length < MAX_LANES ? ends.length : ends.indexOf(Math.min(...ends))
      ends[lane] = Math.max(bar.to, ends[lane] ?? 0)
      return { ...bar, lane }
    })
  return { placed, lanes: Math.max(1, ends.length) }
}

/** Top and height of a lane within its row, in pixels. */
export function laneBox(
  { height, lanes }: Pick<Row, 'height' | 'lanes'>,
  lane: number,
): { top: number; height: number } {
  const room = height - ROOM_PX
  const each = room / lanes
  const gap = lanes > 1 ? 1.5 : 0
  return { top: ROOM_PX / 2 + lane * each, height: each - gap }
}

/** The bar at a moment and a height of a row, or the nearest one within `slack` milliseconds; undefined: none. */
export function barAt(of: Row, moment: number, y: number, slack: number): Bar | undefined {
  let best: { bar: Bar; distance: number } | undefined
  for (const bar of of.bars) {
    const { top, height } = laneBox(of, bar.lane)
    if (of.lanes > 1 && (y < top - 1 || y > top + height + 1)) continue
    const distance = Math.max(bar.from - moment, moment - bar.to, 0)
    // Of bars that overlap the later one is drawn above.
    if (distance <= slack && distance <= (best?.distance ?? slack)) best = { bar, distance }
  }
  return best?.bar
}

type Step = 'left' | 'right' | 'up' | 'down' | 'first' | 'last'
/** A bar by its row and its run. */
export type Place = { row: string; run: number }

/** The bar that a key leads to: along its row, or the nearest in time of the row above or below. */
export function stepFrom(rows: readonly Row[], place: Place | null, step: Step): Place | null {
  const at = rows.findIndex(({ key }) => key === place?.row)
  const current = rows[at]
  const index = current?.bars.findIndex(({ run }) => run.id === place?.run) ?? -1
  const bar = current?.bars[index]
  if (!current || !bar) return placeIn(rows[0], rows[0]?.bars.at(-1))
  switch (step) {
    case 'left':
      return placeIn(current, current.bars[Math.max(0, index - 1)])
    case 'right':
      return placeIn(current, current.bars[Math.min(current.bars.length - 1, index + 1)])
    case 'first':
      return placeIn(current, current.bars[0])
    case 'last':
      return placeIn(current, current.bars.at(-1))
    case 'up':
    case 'down': {
      const next = rows[step === 'up' ? at - 1 : at + 1]
      return next ? placeIn(next, nearest(next.bars, bar.from)) : place
    }
  }
}

const nearest = (bars: readonly Bar[], moment: number) =>
  bars.reduce<Bar | undefined>(
    (best, bar) => (best && Math.abs(best.from - moment) <= Math.abs(bar.from - moment) ? best : bar),
    undefined,
  )

const placeIn = (row: Row | undefined, bar: Bar | undefined): Place | null =>
  row && bar ? { row: row.key, run: bar.run.id } : null
