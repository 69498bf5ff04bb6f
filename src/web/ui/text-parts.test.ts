import { expect, test } from 'vitest'
import { matchParts, textParts } from './text-parts.ts'

const ORIGIN = 'https://rowferry.example'

test.each<[string, string[]]>([
  ['Copied 5 rows', ['Copied 5 rows']],
  [
    'Sign in again. Reconnect: https://rowferry.example/users',
    ['Sign in again. Reconnect: ', '[https://rowferry.example/users]'],
  ],
  [
    'See https://rowferry.example/users, then go on',
    ['See ', '[https://rowferry.example/users]', ', then go on'],
  ],
  ['Tab ‘https://evil.example/users’ is gone', ['Tab ‘', 'https://evil.example/users’', ' is gone']],
  ['https://rowferry.example.evil/users', ['https://rowferry.example.evil/users']],
  ['', []],
])('URLs of this site become links, external ones do not: %j', (text, parts) => {
  const shown = textParts(text, ORIGIN).map((part) => (part.kind === 'link' ? `[${part.text}]` : part.text))
  expect(shown).toEqual(parts)
})

test('a text is split at the places that the search finds, ignoring case', () => {
  expect(matchParts('Quota of quota', 'quota')).toEqual(['', 'Quota', ' of ', 'quota', ''])
  expect(matchParts('a.c', '.')).toEqual(['a', '.', 'c'])
  expect(matchParts('abc', '')).toEqual(['abc'])
  expect(matchParts('İx', 'x')).toEqual(['İx'])
})
