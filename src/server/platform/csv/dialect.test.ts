import { expect, test } from 'vitest'
import { detectDialect } from './dialect.ts'

const lines = (header: string, row: (n: number) => string, rows = 120) =>
  [header, ...Array.from({ length: rows }, (_, n) => row(n))].join('\n')

test.each([
  ['commas within the names of a short header', lines('Size, cm, inner;Price', (n) => `${n};1`), ';'],
  ['commas in names, decimal commas in cells', lines('Size, cm;Weight, kg', (n) => `${n},5;${n},25`), ';'],
  ['commas in texts of some rows', lines('sku;name', (n) => `${n};a${n % 2 ? ', b' : ''}`), ';'],
  ['semicolons within cells', lines('sku,tags', (n) => `${n},a;b;c`), ','],
  ['semicolons in a name', lines('sku,a;b,c', (n) => `${n},1,2`), ','],
  ['a few ragged rows', lines('a;b, c;d', (n) => (n % 30 ? `${n};x, y;z` : `${n};x`)), ';'],
  ['a delimiter behind the last cell of each row', lines('a;b', (n) => `${n},5;x;`), ';'],
  ['a last column that is mostly blank', lines('a;b', (n) => `${n},5;${n % 9 ? '' : 'x'}`), ';'],
  ['tabs', lines('a, b\tc', (n) => `${n}, x\t1`), '\t'],
  ['bars', lines('a|b;c', (n) => `${n}|x`), '|'],
  ['one column', lines('name', (n) => `name ${n}`), ','],
  ['one column of lists', lines('tags', () => 'a;b'), ','],
  ['a header alone', 'a;b;c\n', ';'],
  ['a beginning that ends within quotes', `${lines('a;b', (n) => `${n};"x, y"`, 9)}\n1;"x, `, ';'],
])('%s', (_name, text, delimiter) => {
  expect(detectDialect(text)).toMatchObject({ delimiter, quote: '"', newline: '\n', skipped: 0 })
})

test('the sep= line of Excel sets the delimiter and is not a row', () => {
  expect(detectDialect('sep=;\r\na,b\r\n1,2\r\n')).toMatchObject({ delimiter: ';', skipped: 7 })
  expect(detectDialect('"SEP=^"\na,b^c\n')).toMatchObject({ delimiter: '^', skipped: 8 })
  // An ordinary header.
  expect(detectDialect('sep=x;b\n1;2\n')).toMatchObject({ delimiter: ';', skipped: 0 })
})

test('a given delimiter applies whatever the file contains', () => {
  expect(detectDialect('sep=;\na;b\n', { delimiter: ',' })).toMatchObject({ delimiter: ',', skipped: 6 })
})

test.each([
  ['a,b\r\r\n1,2\r\r\n', '\n'],
  ['a,b\r\n1,2', '\n'],
  ['a,b\r1,2\r', '\r'],
  ['a,b\r\r1,2\r', '\r'],
  ['a,b\r', '\n'],
])('%j: lines end with %j', (text, newline) => {
  expect(detectDialect(text).newline).toBe(newline)
})

test('a header with all names in single quotes is quoted', () => {
  expect(detectDialect("'sku','name'\n'1','a, b'\n")).toMatchObject({ quote: "'", delimiter: ',' })
  expect(detectDialect("sku,'name'\n'1','a, b'\n").quote).toBe('"')
})
