import { expect, test } from 'vitest'
import { firstKeyword } from './mysql-keyword.ts'

test.each([
  ['select 1', 'SELECT'],
  ['  ((\n select 1) union (select 2))', 'SELECT'],
  ['-- prices\n# more\n/* all * of / them */ With a as (select 1) select * from a', 'WITH'],
  ['values (1), (2)', 'VALUES'],
  ['/**/table items', 'TABLE'],
  ['--1', ''],
  ['/*! call escape() */', ''],
  ['/*!50000 call escape() */ select 1', ''],
  ['/*M!100100 call escape() */', ''],
  ['/* never ends select 1', ''],
  ['call escape()', 'CALL'],
  ["execute immediate 'call escape()'", 'EXECUTE'],
  ['selectx', 'SELECTX'],
  ['', ''],
])('%j begins with %j', (statement, word) => {
  expect(firstKeyword(statement)).toBe(word)
})

test('a long run of blanks and comments is scanned in linear time', () => {
  expect(firstKeyword(`${'/* a */ ( -- b\n'.repeat(5_000)}${'/*'.repeat(20_000)}`)).toBe('')
})
