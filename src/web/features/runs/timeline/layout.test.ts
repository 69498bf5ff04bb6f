import { describe, expect, test } from 'vitest'
import type { TimelineRun, TimelineType } from '../../../../contract/all-runs/calls.ts'
import { barAt, inLanes, laneBox, rowsOf, stepFrom } from './layout.ts'
import { prerequisitesOf, secondsByKind, segmentsOf } from './segments.ts'

const at = (second: number) => Date.UTC(2026, 10, 20, 4, 0, second)
const iso = (second: number) => new Date(at(second)).toISOString()

function aRun(
  id: number,
  [queued, started, finished]: (number | null)[],
  fields: Partial<TimelineRun> = {},
): TimelineRun {
  return {
    id,
    task_id: id,
    task_name: `Task ${id}`,
    category: 'sync',
    state: 'success',
    is_preview: false,
    trigger: 'schedule',
    triggered_by: 'its own schedule',
    queued_at: iso(queued ?? 0),
    started_at: started === null || started === undefined ? null : iso(started),
    finished_at: finished === null || finished === undefined ? null : iso(finished),
    task_type_id: 1,
    user_id: null,
    inputs_until: null,
    waits: [],
    ...fields,
  }
}
const type = (id: number, fields: Partial<TimelineType> = {}): TimelineType => ({
  id,
  name: `Type ${id}`,
  category: 'sync',
  depends_on: [],
  ...fields,
})
const parts = (run: TimelineRun, until: number | null, now: number) =>
  segmentsOf(run, until, now).map(({ kind, from, to }) => [kind, (from - at(0)) / 1000, (to - at(0)) / 1000])

describe('the time of a run is split into waits and work', () => {
  test('from the queue through its quota waits to its end, without gaps', () => {
    const run = aRun(1, [0, 10, 40], {
      waits: [
        { for: 'quota', from: iso(15), to: iso(20) },
        { for: 'retry', from: iso(20), to: iso(30) },
      ],
    })
    expect(parts(run, null, at(99))).toEqual([
      ['queue', 0, 10],
      ['work', 10, 15],
      ['quota', 15, 20],
      ['retry', 20, 30],
      ['work', 30, 40],
    ])
  })

  test.each([
    ['its inputs', { inputs_until: iso(6) }, null],
    ['the types that its type depends on', {}, at(6)],
    ['the later of both', { inputs_until: iso(3) }, at(6)],
  ])('its time in the queue until the end of %s is a wait for prerequisites', (_case, fields, until) => {
    expect(parts(aRun(1, [0, 10, 12], fields), until, at(99))).toEqual([
      ['prerequisites', 0, 6],
      ['queue', 6, 10],
      ['work', 10, 12],
    ])
  })

  test('a live run goes on until now, and an open wait with it', () => {
    expect(
      parts(aRun(1, [0, 5, null], { waits: [{ for: 'quota', from: iso(8), to: null }] }), null, at(20)),
    ).toEqual([
      ['queue', 0, 5],
      ['work', 5, 8],
      ['quota', 8, 20],
    ])
    expect(parts(aRun(1, [0, null, null]), null, at(20))).toEqual([['queue', 0, 20]])
  })

  test('moments that contradict each other leave no negative times', () => {
    const run = aRun(1, [10, 5, 8], {
      waits: [{ for: 'quota', from: iso(50), to: iso(2) }],
      inputs_until: iso(90),
    })
    for (const { from, to } of segmentsOf(run, at(70), at(0))) expect(to).toBeGreaterThan(from)
    expect(segmentsOf(aRun(1, [10, null, 8]), null, at(0))).toEqual([])
  })

  test('seconds of the same kind are added up', () => {
    const run = aRun(1, [0, 1, 10], { waits: [{ for: 'quota', from: iso(2), to: iso(4) }] })
    expect(secondsByKind(segmentsOf(run, null, at(0)))).toEqual([
      { kind: 'queue', seconds: 1 },
      { kind: 'work', seconds: 7 },
      { kind: 'quota', seconds: 2 },
    ])
  })
})

test('prerequisites of a run are the earlier runs of the types that its type depends on', () => {
  const runs = [
    aRun(1, [0, 1, 30], { task_type_id: 2 }),
    aRun(2, [0, 1, 5], { task_type_id: 2 }),
    aRun(3, [2, 31, 40]),
    aRun(4, [35, 36, 37]),
    aRun(5, [36, 37, null], { task_type_id: 2 }),
    aRun(6, [38, null, null]),
  ]
  const until = prerequisitesOf(runs, [type(1, { depends_on: [2] }), type(2)], at(60))
  // Run 4 was queued after run 1 had ended; run 6 waits for run 5, which is not over.
  expect([...until]).toEqual([
    [3, at(30)],
    [6, at(60)],
  ])
})

test('types come in the order in which rows flow; tasks of an unfolded type follow it by name', () => {
  const runs = [
    aRun(5, [4, 5, 6], { category: 'compiler', task_type_id: null }),
    aRun(4, [3, 4, 5], { category: 'source', task_type_id: 7, task_name: 'Prices' }),
    aRun(3, [2, 3, 4], { category: 'source', task_type_id: null }),
    aRun(2, [1, 2, 3], { task_name: 'B' }),
    aRun(1, [0, 1, 2], { task_name: 'A' }),
  ]
  const types = [type(7, { category: 'source' }), type(1)]
  const labels = (unfolded: string[]) =>
    rowsOf(runs, types, { unfolded: new Set(unfolded), now: at(9) }).map(
      ({ kind, label }) => `${kind} ${label}`,
    )
  expect(labels([])).toEqual([
    'type Type 7',
    'type Source tasks without a type',
    'type Compiles',
    'type Type 1',
  ])
  expect(labels(['sync 1']).slice(3)).toEqual(['type Type 1', 'task A', 'task B'])
})

const bar = (id: number, from: number, to: number) => ({
  run: aRun(id, [from, from, to]),
  from: at(from),
  to: at(to),
  lane: 0,
  segments: [],
})

test('bars that overlap lie in lanes below each other; bars one after the other share a lane', () => {
  const { placed, lanes } = inLanes([bar(3, 6, 9), bar(1, 0, 5), bar(2, 3, 8)])
  expect(placed.map(({ run, lane }) => [run.id, lane])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
  ])
  expect(lanes).toBe(2)
})

test('a hundred bars at once share the lanes that there are, all within their row', () => {
  const many = Array.from({ length: 100 }, (_, n) => bar(n + 1, 0, 10))
  const { placed, lanes } = inLanes(many)
  expect(lanes).toBe(8)
  const row = { height: 84, lanes }
  for (const { lane } of placed) {
    const { top, height } = laneBox(row, lane)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(top + height).toBeLessThanOrEqual(row.height)
  }
})

test('the pointer finds the bar beneath it, or the nearest within its slack', () => {
  const [row] = rowsOf([aRun(2, [20, 21, 30]), aRun(1, [0, 1, 10])], [type(1)], {
    unfolded: new Set(),
    now: at(60),
  })
  if (!row) throw new Error('There is no row')
  const found = (second: number, slack = 2) => barAt(row, at(second), row.height / 2, slack * 1000)?.run.id
  expect([found(5), found(11), found(15), found(19), found(40)]).toEqual([1, 1, undefined, 2, undefined])
})

test('arrow keys reach every bar: along a row, and to the nearest in time of the next one', () => {
  const runs = [
    aRun(4, [50, 51, 55], { task_type_id: 2 }),
    aRun(3, [1, 2, 3], { task_type_id: 2 }),
    aRun(2, [40, 41, 42]),
    aRun(1, [0, 1, 2]),
  ]
  const rows = rowsOf(runs, [type(1), type(2)], { unfolded: new Set(), now: at(60) })
  const go = (from: Parameters<typeof stepFrom>[1], step: Parameters<typeof stepFrom>[2]) =>
    stepFrom(rows, from, step)
  const first = go(null, 'last')
  expect(first).toEqual({ row: 'sync 1', run: 2 })
  expect(go(first, 'left')).toEqual({ row: 'sync 1', run: 1 })
  expect(go(go(first, 'left'), 'left')).toEqual({ row: 'sync 1', run: 1 })
  expect(go(first, 'down')).toEqual({ row: 'sync 2', run: 4 })
  expect(go(go(first, 'left'), 'down')).toEqual({ row: 'sync 2', run: 3 })
  expect(go(go(first, 'down'), 'down')).toEqual({ row: 'sync 2', run: 4 })
  // A bar that is gone leads to the first row again.
  expect(go({ row: 'sync 9', run: 1 }, 'up')).toEqual({ row: 'sync 1', run: 2 })
  expect(stepFrom([], null, 'down')).toBeNull()
})

test('ten thousand runs are laid out with each run once', () => {
  const runs = Array.from({ length: 10_000 }, (_, n) =>
    aRun(10_000 - n, [n, n + 1, n + 300], { task_type_id: n % 20, task_id: n % 400 }),
  )
  const types = Array.from({ length: 20 }, (_, n) => type(n, { depends_on: n > 0 ? [n - 1] : [] }))
  const rows = rowsOf(runs, types, { unfolded: new Set(), now: at(0) })
  expect(rows).toHaveLength(20)
  expect(rows.reduce((sum, { bars }) => sum + bars.length, 0)).toBe(10_000)
})
