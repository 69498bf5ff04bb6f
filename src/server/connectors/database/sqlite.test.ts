import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { databaseSettings, databaseUse, readAll } from '../../../../test/fixtures/database-origins.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { readDatabase } from './source.ts'
import { testDatabase as tryDatabase } from './test.ts'

let folder: string
let secrets: string
beforeAll(async () => {
  folder = await testFolder()
  secrets = await testFolder()
  for (const path of [join(folder, 'shop.db'), join(secrets, 'secrets.db')]) {
    const database = new DatabaseSync(path)
    database.exec(`create table items (id integer primary key, name text);
      with recursive n (id) as (select 1 union all select id + 1 from n where id < 5000)
      insert into items select id, 'Item ' || id from n`)
    database.close()
  }
  writeFileSync(join(folder, 'no-database.db'), 'something else, and long enough to be looked at '.repeat(10))
  mkdirSync(join(folder, 'deeper'))
  symlinkSync(join(secrets, 'secrets.db'), join(folder, 'link.db'))
  symlinkSync(secrets, join(folder, 'linked'))
})
const settings = (statement: string, fields = {}) =>
  databaseSettings({ engine: 'sqlite', file: 'shop.db', statement, ...fields })
const use = (fields = {}) => databaseUse({ own_database: '', sqlite_folder: folder, ...fields })
const failure = (kind: string, message: RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', kind, message: expect.stringMatching(message) })

/** Processes that read this test's files. */
const readers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
    } catch {
      return false
    }
  })

test('rows come in the order of the statement, the header first', async () => {
  const { rows, header } = await readAll(settings('select * from items order by id; -- all of them'), use())
  expect(header).toEqual(['id', 'name'])
  expect(rows).toHaveLength(5001)
  expect(rows.at(-1)).toEqual([5000, 'Item 5000'])
})

test('a slow reader applies backpressure', async () => {
  const statement = "select id, printf('%.2000c', 'x') from items order by id"
  let rows = -1
  for await (const batch of readDatabase(settings(statement), use()).batches) {
    if (rows < 100) await delay(300)
    rows += batch.length
  }
  expect(rows).toBe(5000)
})

test.each([
  ['insert into items values (0, 0) returning id', /does more than read/],
  ['delete from items', /does more than read/],
  ['with x as (select 1) delete from items returning id', /does more than read/],
  [`attach 'SECRETS' as other`, /does more than read/],
  [`vacuum into '/tmp/rowferry-must-not-be-there'`, /answers no rows/],
  ['pragma journal_mode = wal', /does more than read/],
  ['select * from pragma_database_list', /does more than read/],
  ['create table other (a)', /does more than read/],
  ['begin', /does more than read/],
  [`select load_extension('x')`, /not authorized/],
  [`select readfile('/etc/passwd')`, /no such function/],
  ['select 1; delete from items', /single statement/],
  ['select 1; form', /single statement/],
  ['-- nothing', /contains no statements/],
  ['select nam from items', /no such column: nam/],
])('%s is refused', async (statement, message) => {
  const refused = readAll(settings(statement.replace('SECRETS', join(secrets, 'secrets.db'))), use())
  await expect(refused).rejects.toEqual(failure('invalid', message))
  const database = new DatabaseSync(join(folder, 'shop.db'), { readOnly: true })
  expect(database.prepare('select count(*) as rows from items').get()).toEqual({ rows: 5000 })
  database.close()
})

test.each([
  ['link.db', 'forbidden', /not the name of a file within/],
  ['linked/secrets.db', 'forbidden', /not the name of a file within/],
  ['../x/secrets.db', 'forbidden', /not the name of a file within/],
  ['/etc/passwd', 'not_found', /no file/],
  ['file:shop.db?mode=rw', 'not_found', /no file/],
  ['shop.db\0', 'forbidden', /not the name of a file within/],
  ['missing.db', 'not_found', /no file ‘missing\.db’/],
  ['deeper', 'not_found', /no file/],
  ['.', 'forbidden', /not the name of a file within/],
  ['', 'invalid', /does not say which file/],
  ['no-database.db', 'invalid', /not a database/],
])('the file ‘%s’ is not read', async (file, kind, message) => {
  await expect(readAll(settings('select 1', { file }), use())).rejects.toEqual(failure(kind, message))
})

test('without SQLITE_FOLDER no file is read', async () => {
  await expect(readAll(settings('select 1'), use({ sqlite_folder: null }))).rejects.toEqual(
    failure('invalid', /SQLITE_FOLDER/),
  )
})

const ENDLESS = 'with recursive n (id) as (select 1 union all select id + 1 from n)'

test('its process ends when the run is stopped, whatever the statement is doing', async () => {
  const stop = new AbortController()
  const reading = readAll(settings(`${ENDLESS} select count(*) from n`), use({ signal: stop.signal }))
  await expect.poll(readers).toHaveLength(1)
  stop.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
  expect(readers()).toEqual([])
})

test('its process ends at its time limit', async () => {
  const slow = settings(`${ENDLESS} select count(*) from n`, { timeout_seconds: 1 })
  await expect(readAll(slow, use())).rejects.toEqual(failure('unavailable', /longer than 1 s/))
  expect(readers()).toEqual([])
})

test('its process ends when it takes too much memory', async () => {
  const large = settings(`select length(group_concat(hex(randomblob(1000000)))) from items`)
  await expect(readAll(large, use())).rejects.toEqual(failure('invalid', /more than 256 MB of memory/))
  expect(readers()).toEqual([])
})

test('its process ends when reading stops', async () => {
  for await (const _rows of readDatabase(settings(`${ENDLESS} select id from n`), use()).batches) break
  expect(readers()).toEqual([])
})

test('a connection test reads the first rows and ends the statement', async () => {
  expect(await tryDatabase(settings(`${ENDLESS} select id, 'x' as b from n`), use())).toMatchObject({
    ok: true,
    rows_read: 1000,
    has_more: true,
    columns: [
      { name: 'id', type: 'number' },
      { name: 'b', type: 'text' },
    ],
  })
  expect(readers()).toEqual([])
})
