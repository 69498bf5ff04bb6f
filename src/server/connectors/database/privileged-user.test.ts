import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import { databaseUse, readAll, settingsOf } from '../../../../test/fixtures/database-origins.ts'
import { testDatabase as tryDatabase } from './test.ts'

let own: TestDatabase
let origin: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
  origin = await testDatabase()
  await origin.asAdmin(
    'set role rowferry; create table items (id int primary key); insert into items values (1), (2)',
  )
})
const settings = (statement: string) => settingsOf(origin.url, statement)
const use = () => databaseUse({ own_database: own.url })

const careless = { user: 'careless', password: 'secret' }
const grants: [string, string, RegExp][] = [
  ['a superuser', 'alter role careless superuser', /\(superuser\)/],
  ['one who may become a superuser', 'create role boss superuser; grant boss to careless', /\(superuser\)/],
  ['a member of pg_read_server_files', 'grant pg_read_server_files to careless', /\(pg_read_server_files\)/],
  [
    'one with a role that may run programs',
    'create role runs; grant pg_execute_server_program to runs; grant runs to careless',
    /\(pg_execute_server_program\)/,
  ],
  [
    'one who may call pg_read_file',
    'grant execute on function pg_read_file(text) to careless',
    /\(pg_read_file\)/,
  ],
]
beforeEach(() =>
  origin.asAdmin(`create role careless login password 'secret'; grant select on items to careless`),
)
afterEach(() =>
  origin.asAdmin(
    `drop owned by careless; drop role careless; drop role if exists boss; drop role if exists runs`,
  ),
)

test.each(grants)('%s is refused, until that is confirmed', async (_what, grant, right) => {
  const given = { ...settings('select count(*) from items'), ...careless }
  expect((await readAll(given, use())).rows[1]).toEqual([2])
  await origin.asAdmin(grant)
  await expect(readAll(given, use())).rejects.toEqual(
    expect.objectContaining({
      name: 'OriginFailure',
      kind: 'forbidden',
      message: expect.stringMatching(right),
    }),
  )
  const refused = await tryDatabase(given, use())
  expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(/confirm in the connection/) })
  expect((await readAll({ ...given, privileged_user: true }, use())).rows[1]).toEqual([2])
})
