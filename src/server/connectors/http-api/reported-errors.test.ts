import { expect, test } from 'vitest'
import type { Handler } from '../../../../test/fakes/origin-server.ts'
import { asked, at, open, QUICK, rows, skus, startTrappedApi } from '../../../../test/fakes/trapped-api.ts'
import { readAll } from '../../../../test/fixtures/read-source.ts'

startTrappedApi()

const BY_PAGE = { list_path: '$.data', paging: { style: 'page', param: 'page' } }
const BY_CURSOR = { list_path: '$.items', paging: { style: 'cursor', param: 'c', cursor_path: '$.next' } }

/** Bodies with status 200 that report an error, and the quoted part. */
const ERRORS: [body: unknown, detail: string][] = [
  [{ code: 500, message: 'Backend timed out' }, 'Backend timed out'],
  [{ data: null, error: 'quota used up' }, 'quota used up'],
  [{ data: [], errors: [{ message: 'Shard 3 is away' }] }, 'Shard 3 is away'],
  [{ data: [], errors: ['first', 'second'] }, 'first'],
  [{ data: [], errors: { page: ['must be less than 4'] } }, 'must be less than 4'],
  [{ success: false, data: [], message: 'Try later' }, 'Try later'],
  [{ success: 'false', reason: 'Locked' }, 'Locked'],
  [{ status: 'error', data: [] }, 'status: "error"'],
  [{ status: 'RATE_LIMITED', data: [] }, 'status: "RATE_LIMITED"'],
  [{ status: 503, title: 'Maintenance', data: [] }, 'Maintenance'],
  [{ error: { message: 'Session has expired' } }, 'Session has expired'],
  [
    { error: { code: 190, error_user_msg: '', message: 'Session has expired' }, data: [] },
    'Session has expired',
  ],
  [{ error: 'invalid_token', error_description: 'The token expired' }, 'The token expired'],
  [{ data: { error: { message: 'No such product' } } }, 'No such product'],
  [{ data: [], meta: { code: 500, error_message: 'Down' } }, 'Down'],
  [{ data: [], status: { error_code: 1010, error_message: 'Over the limit' } }, 'Over the limit'],
  [{ code: 40001, msg: 'token expired', data: [] }, 'token expired'],
  [{ fault: { faultstring: 'Spike arrest', detail: { errorcode: 'x' } } }, 'Spike arrest'],
  [{ ok: false, error: 'account_inactive' }, 'account_inactive'],
  [{ data: [], Exception: true }, 'Exception: true'],
]

test.each(ERRORS)('%j is not a page, neither the first nor a later one', async (body, detail) => {
  for (const broken of [1, 4]) {
    const handler: Handler = ({ url }) => {
      const page = at(url, 'page', 1)
      return { body: page === broken ? body : { data: page > 5 ? [] : rows(page, page + 10) } }
    }
    await expect(skus({ handler, settings: BY_PAGE })).rejects.toMatchObject({
      message: `Page ${broken}: The API reported an error: “${detail}”.`,
    })
  }
})

test.each([
  [{ items: null, error: 'cursor lost', next: null }, 'cursor lost'],
  [{ items: [], error: { message: 'cursor lost' }, next: 'c2' }, 'cursor lost'],
  [{ success: false, message: 'cursor lost' }, 'cursor lost'],
])('%j is not a page after a cursor', async (body, detail) => {
  const handler: Handler = ({ url }) => ({
    body: at(url, 'c') < 2 ? { items: rows(at(url, 'c')), next: at(url, 'c') + 1 } : body,
  })
  await expect(skus({ handler, settings: BY_CURSOR })).rejects.toThrow(
    `Page 3: The API reported an error: “${detail}”.`,
  )
})

test('an error in place of a list that is the whole reply', async () => {
  const handler: Handler = ({ url }) => ({
    body: at(url, 'page', 1) < 3 ? rows(at(url, 'page', 1)) : { code: 500, message: 'gone' },
  })
  const settings = { paging: { style: 'page', param: 'page' } }
  await expect(skus({ handler, settings })).rejects.toThrow('Page 3: The API reported an error: “gone”.')
})

test.each<[unknown]>([
  [{ errors: [], error: null, data: [] }],
  [{ error: '', errors: {}, error_code: 0, error_message: null, data: [] }],
  [{ error: { code: 0, message: '' }, data: [] }],
  [{ errors: { count: 0, items: [] }, data: [] }],
  [{ error: false, success: true, code: 200, status: 'ok', message: 'OK', data: [] }],
  [{ status: 200, data: [], message: 'No more products' }],
  [{ status: 'success', code: 0, msg: 'success', data: [] }],
  [{ code: '0000', msg: 'done', data: [] }],
  [{ code: 20000, message: '查询成功', data: [] }],
  [{ errcode: 0, errmsg: 'ok', data: [] }],
  [{ status: 'active', filters: { status: 'failed' }, data: [] }],
  [{ category: { code: 500, error: 'E' }, data: [] }],
  [{ code: 1001, title: 'Garden', data: [] }],
])('%j is an empty page', async (last) => {
  const handler: Handler = ({ url }) => ({
    body: at(url, 'page', 1) === 1 ? { data: rows(1, 2), error: null, success: true } : last,
  })
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([1, 2])
})

test('columns of entries are data, whatever their names', async () => {
  const entries = [
    { sku: 1, error: 'chipped', status: 'error', success: false },
    { sku: 2, error: null, status: 'ok', success: true },
  ]
  const reading = (
    await open({ handler: () => ({ body: { data: entries } }), settings: { list_path: '$.data' } })
  ).read()
  expect(await readAll(reading)).toHaveLength(3)
  expect(reading.warnings).toEqual([])
})

test('an error together with rows gives a warning that quotes it', async () => {
  const handler: Handler = () => ({ body: { data: rows(1), errors: [{ message: 'price of 1 is missing' }] } })
  const reading = (await open({ handler, settings: { list_path: '$.data' } })).read()
  expect(await readAll(reading)).toEqual([['sku'], [1]])
  expect(reading.warnings).toEqual([
    'The API sent rows, and reported an error beside them: “price of 1 is missing”.',
  ])
})

test('a status together with rows is not an error: it may be data', async () => {
  const handler: Handler = () => ({ body: { data: rows(1), status: 'failed', code: 404 } })
  const reading = (await open({ handler, settings: { list_path: '$.data' } })).read()
  await readAll(reading)
  expect(reading.warnings).toEqual([])
})

test.each([
  ['$.data[*]', { data: [] }, { data: rows(1, 2) }],
  ['$.data[?@.sku > 0]', { data: [] }, { data: rows(1, 2) }],
  ['$.data.*', { data: {} }, { data: { a: { sku: 1 }, b: { sku: 2 } } }],
])('no value at %s is not a missing list', async (list_path, last, first) => {
  const handler: Handler = ({ url }) => ({ body: at(url, 'page', 1) === 1 ? first : last })
  expect(await skus({ handler, settings: { ...BY_PAGE, list_path } })).toEqual([1, 2])
  const broken: Handler = ({ url }) => ({ body: at(url, 'page', 1) === 1 ? first : { message: 'moved' } })
  await expect(skus({ handler: broken, settings: { ...BY_PAGE, list_path } })).rejects.toThrow(
    'Page 2: The reply has no list at the given path. It has: message. It says: “moved”.',
  )
})

test('a text in place of the list is not a list', async () => {
  const handler: Handler = ({ url }) => ({
    body: { data: at(url, 'page', 1) === 1 ? rows(1) : 'Session expired' },
  })
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toThrow('Page 2: The reply has no list')
})

test('a transient error is retried once: the page is requested once more', async () => {
  const handler: Handler = ({ url, nth }) => {
    const page = at(url, 'page', 1)
    if (page === 2 && nth === 2) return { body: { success: false, message: 'busy' } }
    return { body: { data: page > 2 ? [] : rows(page) } }
  }
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([1, 2])
  const broken: Handler = () => ({ body: { success: false, message: 'busy' } })
  await expect(skus({ handler: broken, settings: BY_PAGE })).rejects.toThrow('“busy”')
  expect(asked()).toHaveLength(2)
})

test.each([
  [401, 'forbidden'],
  [422, 'invalid'],
])('an error that names status %d is not retried', async (code, kind) => {
  const handler: Handler = () => ({ body: { error: { code, message: 'no' } } })
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toMatchObject({ kind })
  expect(asked()).toHaveLength(1)
})

test('a long message is cut, and no part of a secret in it is shown', async () => {
  const secret = 'canary-0123456789abcdef'
  const handler: Handler = () => ({ body: { error: `${'x'.repeat(290)} ${secret} ${'y'.repeat(5000)}` } })
  const headers = [{ name: 'X-Key', is_secret: true, value: secret }]
  const reading = skus({ handler, settings: { ...BY_PAGE, headers }, options: QUICK })
  await expect(reading).rejects.toMatchObject({
    message: expect.not.stringContaining('canary'),
  })
  await expect(reading).rejects.toMatchObject({ message: expect.stringMatching(/^.{300,400}$/) })
})
