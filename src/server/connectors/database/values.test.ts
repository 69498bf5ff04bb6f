import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/fixtures/database.ts'
import {
  databaseSettings,
  databaseUse,
  readAll,
  settingsOf,
} from '../../../../test/fixtures/database-origins.ts'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { NASTY_VALUES } from '../../../../test/fixtures/nasty-values.ts'
import { hasMariaDb, type MariaDb, startMariaDb } from '../../../../test/processes/mariadb.ts'
import type { DatabaseSettings } from '../../../contract/connections/calls.ts'
import type { CellValue } from '../../../contract/tables.ts'

/** For one database: an expression and the expected cell. */
type OwnValue = [expression: string, cell: CellValue]
type Expression = { name: string; expression: string; cell: CellValue }

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase()
})

/** Reads all expressions in one row, whose JSON must be storable in PostgreSQL. */
async function cellsOf(
  values: Expression[],
  { quote, from = '' }: { quote: string; from?: string },
  settings: (statement: string) => DatabaseSettings,
  sqlite_folder: string | null = null,
) {
  const columns = values.map(({ expression }, n) => `${expression} as ${quote}c${n}${quote}`)
  const read = await readAll(
    settings(`select ${columns.join(',\n')}, 1 as z ${from}`),
    databaseUse({ own_database: own.url, sqlite_folder }),
  )
  const [, text = ''] = read.texts
  const [stored] = await own.db
    .selectNoFrom((eb) => eb.cast<CellValue[]>(eb.val(text), 'jsonb').as('cells'))
    .execute()
  const [, row = []] = read.rows
  expect(stored?.cells).toEqual(row.map((cell) => cell ?? ''))
  // Must equal what JavaScript serialises, because rows are hashed and compared as text.
  expect(JSON.stringify(JSON.parse(text))).toBe(text)
  return { cells: values.map(({ name }, n) => [name, row[n] ?? null]), warnings: read.warnings }
}

const expected = (values: { name: string; cell: CellValue }[]) => values.map(({ name, cell }) => [name, cell])
const named = (values: OwnValue[]): Expression[] =>
  values.map(([expression, cell]) => ({ name: expression, expression, cell }))
const of = (engine: 'postgresql' | 'mysql' | 'sqlite'): Expression[] =>
  NASTY_VALUES.map((value) => ({ ...value, expression: value[engine] }))

const LONG_NUMBERS =
  /^\d+ numbers have more digits than a sheet’s numbers can hold and are kept as text: ‘c\d+’/
const BYTES = /^Bytes are kept as text/
const NUL = /^\d+ texts hold characters that cannot be stored \(NUL\)/
const FLOATS = /^This database writes six digits of a FLOAT/

test('there are more than two hundred edge-case values', () => {
  expect(new Set(NASTY_VALUES.map(({ postgresql }) => postgresql)).size).toBeGreaterThanOrEqual(200)
})

describe('PostgreSQL', () => {
  let origin: TestDatabase
  beforeAll(async () => {
    origin = await testDatabase()
  })
  const settings = (statement: string) => settingsOf(origin.url, statement)

  test('edge-case values arrive unchanged, or the read reports the conversion', async () => {
    const values = of('postgresql')
    const { cells, warnings } = await cellsOf(values, { quote: '"' }, settings)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([expect.stringMatching(BYTES), expect.stringMatching(LONG_NUMBERS)])
  })

  test('values of its own types arrive in its own notation', async () => {
    await origin.asAdmin(`create type mood as enum ('so so', 'fine'); create domain sku as int;
      create type pair as (a int, b text)`)
    const values = named([
      [`'NaN'::float8`, 'NaN'],
      [`'Infinity'::float8`, 'Infinity'],
      [`'-Infinity'::numeric`, '-Infinity'],
      [`'-0'::float8`, 0],
      [`0.1::float4`, 0.1],
      [`16777216::float4`, 16_777_216],
      [`1e30::float4`, 1e30],
      [`12345678901234567890::numeric(30,5)`, '12345678901234567890.00000'],
      [`('0.' || repeat('0', 400) || '1')::numeric`, `0.${'0'.repeat(400)}1`],
      [`1::int2`, 1],
      [`4294967295::oid`, 4_294_967_295],
      [`'pg_class'::regclass`, 'pg_class'],
      [`7::sku`, 7],
      [`true`, true],
      [`false`, false],
      [`'ab'::char(5)`, 'ab   '],
      [`'x'::"char"`, 'x'],
      [`'2024-01-02 03:04:05.123456+05:30'::timestamptz`, '2024-01-01 21:34:05.123456+00'],
      [`'03:04:05.000001+02'::timetz`, '03:04:05.000001+02'],
      [`'infinity'::timestamp`, 'infinity'],
      [`'0044-03-15 BC'::date`, '0044-03-15 BC'],
      [`'10000-01-01'::date`, '10000-01-01'],
      [`'1 year 2 months 3 days 04:05:06.000007'::interval`, 'P1Y2M3DT4H5M6.000007S'],
      [`'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      [`array[1, null, 2]`, '{1,NULL,2}'],
      [`array['a', 'b"c', 'd\\e', '']`, '{a,"b\\"c","d\\\\e",""}'],
      [`array[]::int[]`, '{}'],
      [`'so so'::mood`, 'so so'],
      [`row(1, 'a b')::pair`, '(1,"a b")'],
      [`int4range(1, 5)`, '[1,5)'],
      [`B'00101'`, '00101'],
      [`'10.0.0.1/8'::inet`, '10.0.0.1/8'],
      [`'{"b": 1.10, "a": "\\u00e4"}'::jsonb`, '{"a": "ä", "b": 1.10}'],
      [`'{ "b" : 1.10 }'::json`, '{ "b" : 1.10 }'],
      [`point(1, 2.5)`, '(1,2.5)'],
      [`'a:1 b'::tsvector`, `'a':1 'b'`],
    ])
    const { cells, warnings } = await cellsOf(values, { quote: '"' }, settings)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([expect.stringMatching(/^2 numbers have more digits .*: ‘c7’, ‘c8’\.$/)])
  })
})

describe('SQLite', () => {
  let folder: string
  beforeAll(async () => {
    folder = await testFolder()
    new DatabaseSync(join(folder, 'a.db')).close()
  })
  const settings = (statement: string) => databaseSettings({ engine: 'sqlite', file: 'a.db', statement })

  test('edge-case values arrive unchanged, or the read reports the conversion', async () => {
    const values = of('sqlite')
    const { cells, warnings } = await cellsOf(values, { quote: '"' }, settings, folder)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([expect.stringMatching(LONG_NUMBERS), expect.stringMatching(BYTES)])
  })

  test('its own values arrive unchanged', async () => {
    const values = named([
      ['1e999', 'Infinity'],
      ['-1e999', '-Infinity'],
      ['5.0', 5],
      ['-0.0', 0],
      ['true', 1],
      ['char(97, 0, 98)', 'a\uFFFDb'],
      [`cast(x'ff41' as text)`, '\uFFFDA'],
      ['zeroblob(3)', '\\x000000'],
    ])
    const { cells, warnings } = await cellsOf(values, { quote: '"' }, settings, folder)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([expect.stringMatching(NUL), expect.stringMatching(BYTES)])
  })
})

describe.runIf(hasMariaDb)('MariaDB', () => {
  let server: MariaDb
  beforeAll(async () => {
    server = await startMariaDb()
  })
  afterAll(() => server.stop())
  const settings = (statement: string) =>
    databaseSettings({
      engine: 'mysql',
      port: server.port,
      database: 'shop',
      user: 'reader',
      password: 'secret',
      statement,
    })

  test('edge-case values arrive unchanged, or the read reports the conversion', async () => {
    const values = of('mysql')
    const { cells, warnings } = await cellsOf(values, { quote: '`' }, settings)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([expect.stringMatching(LONG_NUMBERS), expect.stringMatching(BYTES)])
  })

  test('values of its own types arrive in its own notation', async () => {
    const columns: [type: string, value: string, cell: CellValue][] = [
      ['tinyint(1)', '1', 1],
      ['bit(4)', `b'1010'`, '1010'],
      ['bit(12)', `b'000000000101'`, '000000000101'],
      [`enum('so so', 'fine')`, `'so so'`, 'so so'],
      [`set('a', 'b', 'c')`, `'a,c'`, 'a,c'],
      ['year', '2024', 2024],
      ['int(5) zerofill', '42', '00042'],
      ['float', '1.2345678', 1.23457],
      ['double', '1.2345678901234567', 1.2345678901234567],
      ['timestamp(6)', `'2024-01-02 03:04:05.123456'`, '2024-01-02 03:04:05.123456+00'],
      ['time(6)', `'-838:59:59'`, '-838:59:59.000000'],
      ['date', `'0000-00-00'`, '0000-00-00'],
      ['char(5)', `'ab'`, 'ab'],
      ['binary(3)', `'ab'`, '\\x616200'],
      ['varchar(9)', `char(97, 0, 98)`, 'a\uFFFDb'],
      ['bigint unsigned', '18446744073709551615', '18446744073709551615'],
      ['decimal(65,30)', '0.1', 0.1],
      ['varchar(9) character set latin1', `'ä€'`, 'ä€'],
      ['mediumtext character set utf8mb4', `'😀'`, '😀'],
      ['mediumblob', `'😀'`, '\\xf09f9880'],
      ['uuid', `'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['inet6', `'2001:db8::1'`, '2001:db8::1'],
      ['json', `'{ "b" : 1.10 }'`, '{ "b" : 1.10 }'],
      ['point', 'point(1, 2)', '\\x000000000101000000000000000000f03f0000000000000040'],
    ]
    await server.query(`set names utf8mb4; set time_zone = '+00:00', sql_mode = '';
      create table shop.own (${columns.map(([type], n) => `v${n} ${type}`).join(', ')});
      insert into shop.own values (${columns.map(([, value]) => value).join(', ')})`)
    const values = columns.map(([type, , cell], n) => ({ name: type, expression: `v${n}`, cell }))
    const { cells, warnings } = await cellsOf(values, { quote: '`', from: 'from own' }, settings)
    expect(cells).toEqual(expected(values))
    expect(warnings).toEqual([
      expect.stringMatching(FLOATS),
      expect.stringMatching(BYTES),
      expect.stringMatching(NUL),
      expect.stringMatching(LONG_NUMBERS),
    ])
  })
})

describe.runIf(!hasMariaDb)('MariaDB', () => {
  test.skip('needs Debian’s package mariadb-server, which is not installed', () => {})
})
