import { expect, test } from 'vitest'
import type { PipelineState, Stage } from '../../../../contract/pipeline/calls.ts'
import { verdictOf } from './verdict.ts'

const stage: Stage = {
  total: 3,
  active: 3,
  running: 0,
  waiting_for_quota: 0,
  queued: 0,
  failed: 0,
  warnings: 0,
  stopped: 0,
  never_run: 0,
}
const calm: PipelineState = {
  stages: { source: stage, compiler: stage, sync: stage },
  live: [],
  attention: [],
  attention_counts: { failed: 0, waiting: 0, missed: 0, behind: 0, review: 0, warning: 0, stopped: 0 },
  attention_tasks: 0,
  marked: { acknowledged: 0, snoozed: 0 },
  next: [{ at: '2026-11-22T09:00:00.000Z', schedule: 'all', category: 'sync', tasks: 3, name: 'Shop' }],
  source_schedule_on: true,
  quota: [],
  today: { day: '2026-11-22', success: 4, warning: 0, failed: 0, stopped: 0 },
}
const verdict = (change: Partial<PipelineState>, outages: string[] = []) => {
  const { tone, title, detail } = verdictOf({ ...calm, ...change }, () => '04:00', outages)
  return [tone, title, detail]
}
const stages = (change: Partial<Stage>): PipelineState['stages'] => {
  const changed = { ...stage, ...change }
  return { source: changed, compiler: changed, sync: changed }
}
const counts = (change: Partial<PipelineState['attention_counts']>, attention_tasks: number) => ({
  attention_counts: { ...calm.attention_counts, ...change },
  attention_tasks,
})

const cases: [string, Partial<PipelineState>, string[]][] = [
  ['nothing to see', {}, ['success', 'Everything is all right', '4 runs today · next at 04:00']],
  [
    'tasks at work',
    { stages: { ...calm.stages, sync: { ...stage, running: 1, queued: 2 } } },
    ['success', 'Everything is all right', '1 running, 2 waiting · 4 runs today · next at 04:00'],
  ],
  [
    'tasks that wait for a quota',
    { stages: { ...calm.stages, sync: { ...stage, running: 30, waiting_for_quota: 12, queued: 1477 } } },
    ['success', 'Everything is all right', '18 running, 1,489 waiting · 4 runs today · next at 04:00'],
  ],
  [
    'only failures that are acknowledged or snoozed',
    { marked: { acknowledged: 3, snoozed: 2 } },
    ['neutral', 'Nothing new needs attention', '3 acknowledged, 2 snoozed · 4 runs today · next at 04:00'],
  ],
  ['a failure', counts({ failed: 1 }, 1), ['error', '1 task has failed', '4 runs today · next at 04:00']],
  [
    'failures and more',
    counts({ failed: 2, behind: 1, warning: 1, stopped: 0 }, 4),
    ['error', '2 tasks have failed', '2 more need attention · 4 runs today · next at 04:00'],
  ],
  [
    'one task that is behind and has left a warning',
    counts({ behind: 1, warning: 1, stopped: 0 }, 1),
    ['warning', '1 task needs attention', '4 runs today · next at 04:00'],
  ],
  [
    'a failure whose rows wait for a yes',
    counts({ failed: 1, waiting: 1 }, 1),
    ['error', '1 task has failed', '4 runs today · next at 04:00'],
  ],
  [
    'a missed run',
    counts({ missed: 1 }, 1),
    ['warning', '1 task needs attention', '4 runs today · next at 04:00'],
  ],
  [
    'a stopped schedule',
    { source_schedule_on: false },
    [
      'warning',
      'The source schedule is stopped',
      'Scheduled source and compiler runs do not start until it is started again.',
    ],
  ],
  [
    'no schedule, no runs',
    { next: [], today: { ...calm.today, success: 0 } },
    ['success', 'Everything is all right', 'No run has ended today · nothing is scheduled'],
  ],
  [
    'active tasks of which none has ever run',
    { next: [], today: { ...calm.today, success: 0 }, stages: stages({ never_run: 3 }) },
    ['neutral', 'Nothing has run yet', 'No run has ended today · nothing is scheduled'],
  ],
  [
    'one of several that has run',
    { stages: { ...stages({ never_run: 3 }), sync: { ...stage, never_run: 2 } } },
    ['success', 'Everything is all right', '4 runs today · next at 04:00'],
  ],
  [
    'no active task',
    { next: [], stages: stages({ active: 0 }) },
    ['neutral', 'Every task is inactive', '4 runs today · nothing is scheduled'],
  ],
]

test.each(cases)('the verdict over %s', (_, change, expected) => {
  expect(verdict(change)).toEqual(expected)
})

test('during an outage the summary never says that all is well', () => {
  const expected = ['error', 'Parts of Rowferry are down', 'The database is down. No worker is running.']
  expect(verdict({}, ['The database is down.', 'No worker is running.'])).toEqual(expected)
})

test('without tasks the summary does not say that all is well', () => {
  expect(verdict({ stages: stages({ total: 0, active: 0 }) })[1]).toBe('No tasks yet')
})
