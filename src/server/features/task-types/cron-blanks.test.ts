import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import { aType } from '../../../../test/fixtures/factories.ts'
import { SOURCE, taskTypesOf, UNIFIED } from '../../../../test/fixtures/task-types.ts'
import { SOURCE as COLUMNS, file, typeFiles } from '../../../../test/fixtures/type-files.ts'

let app: TestApp
let ada: SignedIn
let taskTypes: ReturnType<typeof taskTypesOf>
const files = typeFiles()

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
  taskTypes = taskTypesOf(ada)
})

const BLANKS = [
  '\t',
  '\n',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2003',
  '\u2028',
  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
]
const withBlanks = (blank: string) => ['', '0', '2', '*', '*', '1', ''].join(blank)

test('any Unicode blanks between the fields of a schedule are stored as single blanks', async () => {
  for (const [index, blank] of [...BLANKS, ' \t \u3000 '].entries()) {
    const type = await taskTypes.added(index % 2 ? UNIFIED : SOURCE, {
      cron_schedule: withBlanks(blank),
      ...(index % 2 && { task_category: 'source' }),
    })
    expect(type).toMatchObject({ cron_schedule: '0 2 * * 1', cron_words: 'At 02:00, only on Monday' })
    const changed = await ada.request('PUT', `${SOURCE}/${type.id}`, { cron_schedule: `30${blank}2 * * *` })
    expect(changed.json()).toMatchObject({ cron_schedule: '30 2 * * *', cron_words: 'At 02:30' })
  }
  expect((await ada.request('GET', UNIFIED)).statusCode).toBe(200)
})

test('the same holds for an imported file of types', async () => {
  const rows = ['\t', '\u00a0', '\u3000'].map((blank, index) => `Of a file ${index},,,"${withBlanks(blank)}"`)
  await files.imported('source', file(`${COLUMNS},cron_schedule`, ...rows))
  const types = await files.typesOf('source')
  expect(types.map(({ cron_schedule }) => cron_schedule)).toEqual(Array(3).fill('0 2 * * 1'))
})

test('a stored invalid schedule does not fail a list, shows what is wrong, and starts runs as before', async () => {
  const stored = ['0\t2 * * *', '5* * * * *', 'every day', '']
  const ids: number[] = []
  for (const cron_schedule of stored)
    ids.push((await aType(app.db, { category: 'source', cron_schedule })).id)
  for (const path of [SOURCE, UNIFIED]) {
    const types = await taskTypes.listed(path)
    const shown = ids.map((id) => types.find((type) => type.id === id))
    expect(shown.map((type) => type?.cron_words)).toEqual([
      'At 02:00',
      expect.stringContaining('Minute: "5*" is not a minute.'),
      expect.stringContaining('This one has 2.'),
      expect.stringContaining('This one has 0.'),
    ])
    expect(shown.map((type) => type?.next_run !== null)).toEqual([true, true, false, false])
  }
  expect((await ada.request('GET', `${SOURCE}/${ids[1]}`)).statusCode).toBe(200)
  expect((await ada.request('GET', '/api/scheduled_tasks')).statusCode).toBe(200)
  const saved = await ada.request('PUT', `${SOURCE}/${ids[1]}`, { cron_schedule: '5 * * * *' })
  expect(saved.json()).toMatchObject({ cron_schedule: '5 * * * *' })
})

test('0080: blanks in stored schedules become single blanks', async () => {
  const { db, upgrade } = await databaseBefore(80)
  const texts = [...BLANKS.map(withBlanks), '0 2 * * 1', ' 0  2 * * 1 ', '\t', '0 2 * * MON-FRI']
  for (const cron_schedule of texts) await aType(db, { category: 'source', cron_schedule })
  await upgrade()
  const types = await db.selectFrom('task_types').select('cron_schedule').orderBy('id').execute()
  expect(types.map(({ cron_schedule }) => cron_schedule)).toEqual([
    ...Array(BLANKS.length + 2).fill('0 2 * * 1'),
    null,
    '0 2 * * MON-FRI',
  ])
})
