import type { CellValue } from '../src/contract/tables.ts'
import { NASTY_TEXTS } from './nasty-texts.ts'

/** A value as each database is asked for it, and the cell that it has to become. */
export type NastyValue = {
  name: string
  cell: CellValue
  postgresql: string
  mysql: string
  sqlite: string
}

const hex = (text: string) => Buffer.from(text).toString('hex')
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const WHOLE = [
  '0',
  '1',
  '-1',
  '42',
  '127',
  '-128',
  '65535',
  '2147483647',
  '-2147483648',
  '4294967296',
  '999999999999999',
  '-999999999999999',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
]
const LONG = [
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '1234567890123456789',
]

const DECIMALS: [string, CellValue][] = [
  ['0.0', 0],
  ['0.1', 0.1],
  ['-0.1', -0.1],
  ['1.50', 1.5],
  ['1.00', 1],
  ['100', 100],
  ['100.0', 100],
  ['1000000', 1_000_000],
  ['0.30000', 0.3],
  ['0.000001', 0.000001],
  ['0.0000001', 1e-7],
  ['-0.0000001', -1e-7],
  ['123456789.123456', 123456789.123456],
  ['999999999999.999', 999999999999.999],
  ['0.123456789012345', 0.123456789012345],
  ['19.99', 19.99],
  ['-19.90', -19.9],
  ['0.1234567890123456789', '0.1234567890123456789'],
  ['12345678901234567.50', '12345678901234567.50'],
  ['12345678901234567890', '12345678901234567890'],
  ['-99999999999999999999.999999999', '-99999999999999999999.999999999'],
  ['0.100000000000000000001', '0.100000000000000000001'],
  ['10000000000000000000000', '10000000000000000000000'],
]

const DOUBLES: [string, number][] = [
  ['0.1', 0.1],
  ['1e0', 1],
  ['-2.5e-3', -0.0025],
  ['1e15', 1e15],
  ['1e16', 1e16],
  ['1e21', 1e21],
  ['1e22', 1e22],
  ['1e-7', 1e-7],
  ['123456.789e3', 123456789],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['2.2250738585072014e-308', 2.2250738585072014e-308],
  ['0.30000000000000004', 0.1 + 0.2],
  ['9007199254740993e0', 9007199254740992],
  ['3.141592653589793', Math.PI],
  ['1e100', 1e100],
  ['-1e-100', -1e-100],
]

const MOMENTS = [
  '2024-02-29 23:59:59',
  '2024-01-02 03:04:05.123456',
  '1999-12-31 00:00:00.000001',
  '1000-01-01 00:00:00',
  '9999-12-31 23:59:59.999999',
  '2024-03-10 02:30:00',
  '1970-01-01 00:00:00',
  '2038-01-19 03:14:08',
]
const DATES = ['2024-02-29', '1000-01-01', '9999-12-31', '1900-02-28', '1970-01-01']
const TIMES = ['00:00:00', '23:59:59', '12:34:56.789012', '00:00:00.000001']
const DOCUMENTS = [
  '{"a": [1, null, "x"]}',
  '[]',
  '"text"',
  '{"n": 12345678901234567890.123}',
  '{"ä": "\\u0041 \\" \\\\"}',
  'null',
  'true',
]
const BYTES = ['', '00', 'ff', '00ff00', 'c3a4', 'c3', 'deadbeef', '0a0d09', '22', '5c']

/** How many places a decimal has, for types that have to be told. */
function decimalType(text: string): string {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  return `decimal(${whole.length + fraction.length},${fraction.length})`
}

/** Values that become the same cell whichever of the databases they come from. */
export const NASTY_VALUES: NastyValue[] = [
  ...NASTY_TEXTS.map((text, n) => ({
    name: `text ${n}`,
    cell: text,
    postgresql: `convert_from('\\x${hex(text)}', 'UTF8')`,
    mysql: `convert(x'${hex(text)}' using utf8mb4)`,
    sqlite: `cast(x'${hex(text)}' as text)`,
  })),
  ...WHOLE.map((text) => ({
    name: `whole ${text}`,
    cell: Number(text),
    postgresql: `'${text}'::int8`,
    mysql: `cast('${text}' as signed)`,
    sqlite: text,
  })),
  ...LONG.map((text) => ({
    name: `long ${text}`,
    cell: text,
    postgresql: `'${text}'::int8`,
    mysql: `cast('${text}' as signed)`,
    // Its literal would be a positive number, and one too large.
    sqlite: `cast('${text}' as integer)`,
  })),
  ...DECIMALS.map(([text, cell]) => ({
    name: `decimal ${text}`,
    cell,
    postgresql: `'${text}'::numeric`,
    mysql: `cast('${text}' as ${decimalType(text)})`,
    // SQLite has no decimals: what would not survive as a floating-point number is kept as text there.
    sqlite: typeof cell === 'number' ? text : quoted(text),
  })),
  ...DOUBLES.map(([text, cell]) => ({
    name: `double ${text}`,
    cell,
    postgresql: `'${text}'::float8`,
    mysql: `cast('${text}' as double)`,
    sqlite: `cast('${text}' as real)`,
  })),
  ...MOMENTS.map((text) => ({
    name: `moment ${text}`,
    cell: text,
    postgresql: `'${text}'::timestamp`,
    mysql: `cast('${text}' as datetime${text.includes('.') ? '(6)' : ''})`,
    sqlite: quoted(text),
  })),
  ...DATES.map((text) => ({
    name: `date ${text}`,
    cell: text,
    postgresql: `'${text}'::date`,
    mysql: `cast('${text}' as date)`,
    sqlite: quoted(text),
  })),
  ...TIMES.map((text) => ({
    name: `time ${text}`,
    cell: text,
    postgresql: `'${text}'::time`,
    mysql: `cast('${text}' as time${text.includes('.') ? '(6)' : ''})`,
    sqlite: quoted(text),
  })),
  ...DOCUMENTS.map((text) => ({
    name: `json ${text}`,
    cell: text,
    postgresql: `${quoted(text)}::json`,
    mysql: `convert(x'${hex(text)}' using utf8mb4)`,
    sqlite: quoted(text),
  })),
  ...BYTES.map((digits) => ({
    name: `bytes ${digits}`,
    cell: `\\x${digits}`,
    postgresql: `'\\x${digits}'::bytea`,
    mysql: `x'${digits}'`,
    sqlite: `x'${digits}'`,
  })),
  ...[
    ['null', 'null::text', 'null', 'null'],
    ['null number', 'null::numeric', 'cast(null as decimal(5,2))', 'null'],
    ['empty text', `''`, `''`, `''`],
  ].map(([name = '', postgresql = '', mysql = '', sqlite = '']) => ({
    name,
    cell: null,
    postgresql,
    mysql,
    sqlite,
  })),
]
