import { expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { addTasks } from '../../../../test/fixtures/engine.ts'
import { aRun } from '../../../../test/fixtures/factories.ts'
import { schedules } from '../../../contract/schedules/calls.ts'
import { parseCron } from '../../engine/schedule/cron.ts'
import { clockWarnings } from './queries/clock-warnings.ts'

async function world() {
  const { db, signIn } = await testApp()
  const ada = await signIn()
  const ask = (body: object) => ada.request('POST', '/api/source_schedule/validate_cron', body)
  const validate = async (body: object) => schedules.validateCron.reply.parse((await ask(body)).json())
  return { db, ask, validate }
}

test('a valid expression gets a description, its zone and its next three occurrences', async () => {
  const { validate } = await world()
  const verdict = await validate({ cron_expression: '*/15 * * * *' })
  expect(verdict).toMatchObject({
    valid: true,
    error_message: null,
    time_zone: 'America/New_York',
    words: 'Every 15 minutes',
    warnings: [],
  })
  const [first = 0, second = 0, third = 0] = verdict.next_run_times.map((at) => Date.parse(at))
  expect([second - first, third - second]).toEqual([15 * 60_000, 15 * 60_000])
})

test('an expression that never runs has no description, occurrences or warnings', async () => {
  const { validate } = await world()
  expect(await validate({ cron_expression: '0 0 30 2 *' })).toEqual({
    cron_expression: '0 0 30 2 *',
    valid: false,
    error_message: 'This never runs: there is no such day',
    time_zone: 'America/New_York',
    words: null,
    next_run_times: [],
    warnings: [],
  })
})

test.each([
  [
    '30 2 * * *',
    'America/New_York',
    [
      'On Mar 14, 2027 clocks go forward from 02:00 to 03:00 (America/New_York). What is due at 02:30 starts at 03:00.',
    ],
  ],
  [
    '0,30 2,3 * * *',
    'America/New_York',
    [
      'On Mar 14, 2027 clocks go forward from 02:00 to 03:00 (America/New_York). What is due at 02:00, 02:30 and 03:00 starts once, at 03:00.',
    ],
  ],
  [
    '*/5 2 * * *',
    'America/New_York',
    [
      'On Mar 14, 2027 clocks go forward from 02:00 to 03:00 (America/New_York). What is due at 02:00 to 02:55 starts once, at 03:00.',
    ],
  ],
  [
    '0 */2 * * *',
    'America/New_York',
    [
      'On Mar 14, 2027 clocks go forward from 02:00 to 03:00 (America/New_York). What is due at 02:00 is left out.',
    ],
  ],
  [
    '30 */6 * * *',
    'Atlantic/Azores',
    [
      'On Mar 28, 2027 clocks go forward from 00:00 to 01:00 (Atlantic/Azores). What is due at 00:30 is left out.',
      'On Oct 31, 2027 clocks go back from 01:00 to 00:00 (Atlantic/Azores). What is due at 00:30 starts twice.',
    ],
  ],
  // Elapsed time shows no difference, and a fixed hour that repeats is due once.
  ['0 * * * *', 'America/New_York', []],
  ['*/5 * * * *', 'America/New_York', []],
  ['30 1 * * *', 'America/New_York', []],
  ['30 2 * * 1', 'America/New_York', []],
  ['30 2 * * *', 'Asia/Kolkata', []],
])('%s in %s gets a warning about clock changes', (cron, zone, warnings) => {
  expect(clockWarnings(parseCron(cron), { now: new Date('2026-11-22T08:00:07.123Z'), zone })).toEqual(
    warnings,
  )
})

test.each([
  [
    '0 4 31 * *',
    [
      'February, April, June, September and November have no day 31: it is left out there. L is the last day of any month.',
    ],
  ],
  ['0 4 30 * *', ['February has no day 30: it is left out there. L is the last day of any month.']],
  ['0 4 29 2 *', ['February has a day 29 in leap years only. L is the last day of any month.']],
  ['0 4 31W 1-3 *', ['February has no day 31: it is left out there. L is the last day of any month.']],
  [
    '*/45 * * * *',
    [
      'Minute: "*/45" begins again with each hour: it means 0 and 45, so the last gap is shorter than the others.',
    ],
  ],
  [
    '0 */10 * * *',
    [
      'Hour: "*/10" begins again with each day: it means 0, 10 and 20, so the last gap is shorter than the others.',
    ],
  ],
  [
    '0 4 13 * 5',
    ['Day of month and day of week are both set: it starts on a day that matches either of them.'],
  ],
  ['0 4 * * 5#5', ['Not every month has a fifth Friday. 5L is the last one of any month.']],
  ['0 4 L * *', []],
  ['0 4 31 1,3 *', []],
  ['*/15 4 1-31 * *', []],
  ['0 4 * * 5#2', []],
])('%s gets a warning about a possible mistake', async (cron_expression, warnings) => {
  const { validate } = await world()
  const said = (await validate({ cron_expression })).warnings
  expect(said.filter((warning) => !warning.includes('clocks go'))).toEqual(warnings)
})

test('runs that usually last longer than the interval give a warning', async () => {
  const { db, ask, validate } = await world()
  const { type_id: task_type_id, task_ids } = await addTasks(db, 2, { name: 'Prices', category: 'source' })
  const ended = (minutes: number, state: 'success' | 'failed') => ({
    category: 'source' as const,
    state,
    started_at: new Date('2026-11-20T04:00:00Z'),
    finished_at: new Date(Date.UTC(2026, 10, 20, 4, minutes)),
  })
  const [first = 0, second = 0] = task_ids
  const warnings = async (cron_expression: string) =>
    (await validate({ cron_expression, task_type_id })).warnings
  expect(await warnings('*/5 * * * *')).toEqual([])
  await aRun(db, first, ended(12, 'success'))
  await aRun(db, first, ended(14, 'success'))
  await aRun(db, second, ended(2, 'success'))
  await aRun(db, second, ended(600, 'failed'))
  expect(await warnings('*/5 * * * *')).toEqual([
    'Runs of this type usually take 12 min, longer than the 5 min between two starts. What is due while a task still runs is missed.',
  ])
  expect(await warnings('*/12 * * * *')).toEqual([])
  // The shortest time between two counts: 10 minutes over midnight.
  expect(await warnings('55 23 * * *')).toEqual([])
  expect(await warnings('5,55 0,23 * * *')).toHaveLength(1)
  const gone = await ask({ cron_expression: '* * * * *', task_type_id: 2_147_483_647 })
  expect([gone.statusCode, gone.json().field]).toEqual([422, 'task_type_id'])
  expect((await ask({ cron_expression: '* * * * *', task_type: 1 })).statusCode).toBe(400)
})
