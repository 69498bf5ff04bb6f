import { expect, test } from 'vitest'
import { ApiSettings, ConnectionSettings } from '../../../../contract/connections/calls.ts'
import {
  fieldOf,
  formErrors,
  guessed,
  hostEntryOf,
  newValues,
  settingsOf,
  valuesOf,
} from './connection-form.ts'
import { filledLabels } from './filled-labels.ts'

const api = { ...newValues, name: 'Shop', url: ' https://api.example.com/items ' }
const database = {
  ...newValues,
  kind: 'database' as const,
  name: 'Shop',
  host: 'db.example.com',
  database: 'shop',
  user: 'reader',
  statement: 'select 1',
}

test.each([
  [
    {
      kind: 'api',
      url: 'https://a.example/',
      paging: { style: 'page', param: 'p', first: 0, size_param: 'n', size: 7 },
    },
  ],
  [{ kind: 'api', url: 'https://a.example/', paging: { style: 'offset', param: 'skip' } }],
  [
    {
      kind: 'api',
      url: 'https://a.example/',
      paging: { style: 'cursor', param: 'c', cursor_path: '$.next' },
    },
  ],
  [{ kind: 'api', url: 'https://a.example/', paging: { style: 'next_url', url_path: '$.next' } }],
  [{ kind: 'api', url: 'https://a.example/', method: 'POST', body: '{}', paging: { style: 'link' } }],
  [{ kind: 'api', url: 'https://a.example/', format: 'csv' }],
  [{ kind: 'api', url: 'https://a.example/', format: 'csv', delimiter: '\t', encoding: 'shift_jis' }],
  [{ kind: 'api', url: 'https://a.example/', headers: [{ name: 'X', is_secret: true, value: null }] }],
  [{ kind: 'database', engine: 'mysql', host: 'h', port: 3307, database: 'd', user: 'u', statement: 's' }],
  [
    {
      kind: 'database',
      engine: 'postgresql',
      host: 'h',
      database: 'd',
      user: 'u',
      tls: 'off',
      privileged_user: true,
      statement: 's',
    },
  ],
  [{ kind: 'database', engine: 'sqlite', file: 'a.db', statement: 's', timeout_seconds: 5 }],
])('what is stored comes back as it was: %j', (given) => {
  const settings = ConnectionSettings.parse(given)
  expect(settingsOf(valuesOf({ name: 'Shop', settings }))).toEqual(settings)
})

test('hidden fields are not sent; an empty password keeps the stored one', () => {
  expect(settingsOf({ ...api, body: '{}', format: 'csv', list_path: '$.data' })).toMatchObject({
    url: 'https://api.example.com/items',
    body: '',
    list_path: '',
  })
  expect(settingsOf({ ...database, engine: 'sqlite', file: 'a.db' })).toMatchObject({ host: '', user: '' })
  expect(settingsOf(database)).toMatchObject({ password: null, port: null })
})

test('an empty form lists the missing fields; a test requires no name', () => {
  expect(formErrors(newValues, 'all')).toEqual({
    name: 'Identifier must be 2–60 chars (alphanumeric, _, -)',
    url: 'The address is required',
  })
  expect(formErrors({ ...api, name: '' }, 'settings')).toEqual({})
  expect(formErrors({ ...database, statement: ' ' }, 'all')).toEqual({
    statement: 'The statement is required',
  })
})

test('errors of numbers, paging and secrets are shown at their own fields', () => {
  const wrong = {
    ...api,
    style: 'page' as const,
    size_param: 'per_page',
    size: '',
    headers: [{ name: '', is_secret: true, value: '' }],
  }
  expect(formErrors(wrong, 'all')).toEqual({
    'headers.0.name': 'Enter a name',
    'headers.0.value': 'Enter a value',
    size: 'Must be a whole number from 1 to 100000',
    param: 'Enter its name',
  })
  expect(formErrors({ ...database, port: 70_000 }, 'all')).toEqual({
    port: 'Must be a whole number from 1 to 65535',
  })
})

test('an error of the server is shown at its field', () => {
  expect(['settings.url', 'settings.headers.0.value', 'settings.paging.size', 'name'].map(fieldOf)).toEqual([
    'url',
    'headers.0.value',
    'size',
    'name',
  ])
})

test('a guess fills in blank fields only', () => {
  const paging = ApiSettings.shape.paging.parse({ style: 'cursor', param: 'after', cursor_path: '$.next' })
  const guess = { format: 'json', list_path: '$.data', total_path: '$.total', paging, reason: '' } as const
  const filled = guessed(api, guess)
  expect(filled).toEqual({
    list_path: '$.data',
    total_path: '$.total',
    style: 'cursor',
    param: 'after',
    cursor_path: '$.next',
  })
  expect(filledLabels(filled)).toEqual([
    'the list is $.data',
    'the number of all rows is $.total',
    'pages by a cursor in the reply',
  ])
  expect(guessed({ ...api, list_path: '$.rows', style: 'link' }, guess)).toEqual({ total_path: '$.total' })
})

test.each([
  [api, 'api.example.com'],
  [{ ...api, url: 'http://[::1]:8080/x' }, '[::1]:8080'],
  [{ ...api, url: 'nonsense' }, null],
  [database, 'db.example.com'],
  [{ ...database, host: 'fd00::1', port: 5433 }, '[fd00::1]:5433'],
])('the host that has to be allowed: %#', (values, host) => {
  expect(hostEntryOf(values)).toBe(host)
})
