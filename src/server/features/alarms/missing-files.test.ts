import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { alarmsSite } from '../../../../test/fixtures/alarms.ts'
import { aSourceTask } from '../../../../test/fixtures/factories.ts'

test('a file that is older than its task expects, or missing, raises an alarm of its own; a new file ends it', async () => {
  const { site, hook, check } = await alarmsSite()
  const { received } = await hook({ kinds: ['file'] })
  const definition = { spreadsheet_id: 'Suppliers/prices-*.csv', sheet_name: '', file_expected_hours: 24 }
  const { id } = await aSourceTask(site.db, { name: 'Prices', definition })
  // Tasks that expect nothing, or are inactive, raise none.
  await aSourceTask(site.db, { definition: { ...definition, file_expected_hours: null } })
  await aSourceTask(site.db, { is_active: false, definition })

  const asked: string[] = []
  let hours = 23
  const stateOfFile = async (path: string) => {
    asked.push(path)
    return { name: 'prices-7.csv', changed: Date.now() - hours * 3_600_000 }
  }
  await check({ stateOfFile })
  expect([asked, received]).toEqual([['Suppliers/prices-*.csv'], []])

  hours = 25
  for (let n = 0; n < 2; n += 1) await check({ stateOfFile })
  const texts = () => received.map(({ json }) => json.text)
  expect(texts()).toEqual([
    'Problem: Prices (‘prices-7.csv’ should change every 24 hours and has not.)\nhttps://rowferry.test',
  ])
  expect(received[0]?.json.alarms).toEqual([expect.objectContaining({ kind: 'file', task_id: id })])

  hours = 0
  await check({ stateOfFile })
  expect(texts().at(-1)).toBe('Resolved: Prices\nhttps://rowferry.test')

  await check({ stateOfFile: async () => ({ problem: 'There is no file ‘Suppliers/prices.csv’.' }) })
  expect(texts().at(-1)).toBe(
    'Problem: Prices (There is no file ‘Suppliers/prices.csv’.)\nhttps://rowferry.test',
  )
})

test('a folder that a worker cannot open raises an alarm, which ends when it can', async () => {
  const { site, hook, check } = await alarmsSite()
  const { received } = await hook({ kinds: ['worker'] })
  const texts = () => received.map(({ json }) => json.text)
  await sql`insert into workers (id, name, categories, mounts, missing_mounts) values
    ('00000000-0000-0000-0000-000000000001', 'host 1', '{source}', '{Out}', '{Suppliers}'),
    ('00000000-0000-0000-0000-000000000002', 'host 2', '{source}', '{Out,Suppliers}', '{}')`.execute(site.db)
  await check()
  expect(texts()).toEqual([
    'Problem: The folder ‘Suppliers’ cannot be opened by every worker (host 1 cannot. Other workers execute the runs that need it.)\nhttps://rowferry.test',
  ])
  await sql`update workers set seen_at = now(), mounts = '{Out,Suppliers}', missing_mounts = '{}'`.execute(
    site.db,
  )
  await check()
  expect(texts().at(-1)).toBe(
    'Resolved: The folder ‘Suppliers’ cannot be opened by every worker\nhttps://rowferry.test',
  )
})
