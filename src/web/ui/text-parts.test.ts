import { expect, test } from 'vitest'
import { textParts } from './text-parts.ts'

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
])('addresses of this site become links, those of strangers do not: %j', (text, parts) => {
  const shown = textParts(text, ORIGIN).map((part) => (part.kind === 'link' ? `[${part.text}]` : part.text))
  expect(shown).toEqual(parts)
})
