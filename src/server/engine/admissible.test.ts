import { describe, expect, test } from 'vitest'
import {
  type AdmissionCandidate,
  admissible,
  freeSlots,
  type TypeAdmissionState,
  unmetMessage,
} from './admissible.ts'

const now = new Date('2026-11-20T09:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const type = (fields: Partial<TypeAdmissionState> = {}): TypeAdmissionState => ({
  id: 1,
  priority: 0,
  allowed_concurrent_tasks: 1,
  at_work: 0,
  queue_delay_seconds: 0,
  last_admitted_at: null,
  unmet: [],
  ...fields,
})
const run = (id: number, fields: Partial<AdmissionCandidate> = {}): AdmissionCandidate => ({
  id,
  type_id: 1,
  sort_order: 0,
  exclusive_key: null,
  ...fields,
})

describe('free slots of a type', () => {
  test.each([
    ['none at work', { allowed_concurrent_tasks: 3 }, 3],
    ['some at work', { allowed_concurrent_tasks: 3, at_work: 2 }, 1],
    ['all at work', { allowed_concurrent_tasks: 3, at_work: 3 }, 0],
    ['the limit was lowered below those at work', { allowed_concurrent_tasks: 1, at_work: 3 }, 0],
    ['a delay, never started', { allowed_concurrent_tasks: 3, queue_delay_seconds: 60 }, 1],
    [
      'a delay that lasts',
      { allowed_concurrent_tasks: 3, queue_delay_seconds: 60, last_admitted_at: ago(59) },
      0,
    ],
    [
      'a delay just over',
      { allowed_concurrent_tasks: 3, queue_delay_seconds: 60, last_admitted_at: ago(60) },
      1,
    ],
    ['a delay over, all at work', { at_work: 1, queue_delay_seconds: 60, last_admitted_at: ago(90) }, 0],
  ])('%s', (_case, fields, free) => {
    expect(freeSlots(type(fields), now)).toBe(free)
  })
})

describe('which runs start', () => {
  const types = [type({ id: 1, allowed_concurrent_tasks: 2 }), type({ id: 2, priority: 5 })]
  test.each<[string, TypeAdmissionState[], AdmissionCandidate[], number[]]>([
    ['nothing waits', types, [], []],
    ['by task order before age', types, [run(1, { sort_order: 2 }), run(2, { sort_order: 1 })], [2, 1]],
    ['the older one at equal order', types, [run(8), run(7)], [7, 8]],
    ['as many as there are slots', types, [run(1), run(2), run(3)], [1, 2]],
    ['the type of higher priority first', types, [run(1), run(9, { type_id: 2 })], [9, 1]],
    ['one per target', types, [run(1, { exclusive_key: 'tab' }), run(2, { exclusive_key: 'tab' })], [1]],
    [
      'a whole spreadsheet or a tab of it',
      types,
      [
        run(1, { exclusive_key: 'whole A' }),
        run(2, { exclusive_key: 'sheet A 1' }),
        run(3, { exclusive_key: 'sheet B 1' }),
        run(4, { exclusive_key: 'whole B' }),
      ],
      [1, 3],
    ],
    [
      'the next one when a target is taken',
      types,
      [run(1, { exclusive_key: 'tab' }), run(2, { exclusive_key: 'tab' }), run(3)],
      [1, 3],
    ],
    [
      'a target across types',
      types,
      [run(1, { exclusive_key: 'tab' }), run(2, { type_id: 2, exclusive_key: 'tab' })],
      [2],
    ],
  ])('%s', (_case, given, runs, admitted) => {
    expect(admissible({ types: given, runs, now })).toEqual({ admit: admitted, unmet: [], next_at: null })
  })

  test('runs of a type whose prerequisite is not met fail and name the tasks', () => {
    const decision = admissible({
      types: [type({ unmet: ['Prices (failed)', 'Stock (stopped)'] })],
      runs: [run(4)],
      now,
    })
    expect(decision).toEqual({
      admit: [],
      unmet: [{ run_id: 4, message: 'Prerequisite not met: Prices (failed), Stock (stopped)' }],
      next_at: null,
    })
  })

  test('the end of the earliest delay is returned, except for types without a free slot', () => {
    const types = [
      type({ id: 1, queue_delay_seconds: 60, last_admitted_at: ago(10) }),
      type({ id: 2, queue_delay_seconds: 60, last_admitted_at: ago(20) }),
      type({ id: 3, queue_delay_seconds: 60, last_admitted_at: ago(50), at_work: 1 }),
    ]
    expect(admissible({ types, runs: [], now }).next_at).toEqual(ago(-40))
  })
})

test('a long list of unmet prerequisites names five', () => {
  expect(unmetMessage(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe(
    'Prerequisite not met: a, b, c, d, e and 2 more',
  )
})
