import { expect, test } from 'vitest'
import type { Handler } from '../../../../test/fakes/origin-server.ts'
import { asked, at, open, rows, skus, startTrappedApi } from '../../../../test/fakes/trapped-api.ts'
import { readAll } from '../../../../test/fixtures/read-source.ts'

startTrappedApi()

const BY_PAGE = { list_path: '$.items', paging: { style: 'page', param: 'page' } }
const BY_OFFSET = {
  list_path: '$.items',
  paging: { style: 'offset', param: 'offset', size_param: 'limit', size: 3 },
}
const BY_CURSOR = { list_path: '$.items', paging: { style: 'cursor', param: 'c', cursor_path: '$.next' } }
const BY_URL = { list_path: '$.items', paging: { style: 'next_url', url_path: '$.next' } }
/** Handler for pages counted from 1; pages after the last one are empty. */
const pages =
  (...all: unknown[]): Handler =>
  ({ url }) => ({ body: all[at(url, 'page', 1) - 1] ?? { items: [] } })

test('a short page is not the end', async () => {
  const handler = pages({ items: rows(1, 2, 3) }, { items: rows(4) }, { items: rows(5, 6, 7) })
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('an offset advances by the received rows, whatever page size was requested', async () => {
  const all = rows(1, 2, 3, 4, 5)
  const handler: Handler = ({ url }) => ({
    body: { items: all.slice(at(url, 'offset'), at(url, 'offset') + 2) },
  })
  expect(await skus({ handler, settings: BY_OFFSET })).toEqual([1, 2, 3, 4, 5])
})

test('the number of rows on a page is not mistaken for the total', async () => {
  const handler = pages(
    { items: rows(1, 2), count: 2 },
    { items: rows(3, 4), count: 2 },
    { items: rows(5), count: 1 },
  )
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.count' } })).toEqual([1, 2, 3, 4, 5])
})

test('the total ends a list whose last page is repeated', async () => {
  const handler: Handler = ({ url }) => {
    const page = Math.min(at(url, 'page', 1), 2)
    return { body: { items: page === 1 ? rows(1, 2) : rows(3), total: 3 } }
  }
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).toEqual([1, 2, 3])
  expect(asked()).toHaveLength(2)
})

test('a single page that is repeated for every request ends at its total', async () => {
  const handler: Handler = () => ({ body: { items: rows(1, 2), total: 2 } })
  expect(await skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).toEqual([1, 2])
})

test.each([
  ['404', 404, rows(1, 2), rows(3, 4)],
  ['400 behind a short page', 400, rows(1, 2), rows(3)],
  [
    '400 behind a full page with the code of WordPress',
    400,
    rows(1, 2),
    rows(3, 4),
    'rest_post_invalid_page_number',
  ],
])('%s is the end of the pages', async (_name, status, first, second, code = 'invalid') => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 2
      ? { status, body: { code, message: 'Invalid page.' } }
      : { body: { items: at(url, 'page', 1) === 1 ? first : second } }
  expect(await skus({ handler, settings: BY_PAGE })).toEqual([...first, ...second].map(({ sku }) => sku))
})

test('400 after a full page is a failure: some APIs refuse deep pages', async () => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 2
      ? { status: 400, body: { message: 'Too deep' } }
      : { body: { items: rows(at(url, 'page', 1), 9) } }
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(
      /^Page 3: The API rejected the request \(400: Too deep\)\. If the list ends before this page, enter the path/,
    ),
  })
})

test('404 before the total is a failure', async () => {
  const handler: Handler = ({ url }) =>
    at(url, 'page', 1) > 1 ? { status: 404 } : { body: { items: rows(1, 2), total: 3 } }
  await expect(skus({ handler, settings: { ...BY_PAGE, total_path: '$.total' } })).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test.each([
  ['a page parameter', BY_PAGE],
  ['an offset', BY_OFFSET],
])('%s that the API ignores ends at the third page with its name', async (_name, settings) => {
  const handler: Handler = () => ({ body: { items: rows(1, 2, 3) } })
  await expect(skus({ handler, settings })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('returned the same rows three times'),
  })
  expect(asked()).toHaveLength(3)
})

test('a cursor that never changes ends at the third page with its name', async () => {
  const handler: Handler = () => ({ body: { items: rows(1, 2), next: 'same' } })
  await expect(skus({ handler, settings: BY_CURSOR })).rejects.toThrow('returned the same rows three times')
  expect(asked()).toHaveLength(3)
})

test('circular cursors are given up', async () => {
  const handler: Handler = ({ url }) => {
    const next = (at(url, 'c') % 3) + 1
    return { body: { items: rows(next), next } }
  }
  await expect(skus({ handler, settings: BY_CURSOR })).rejects.toThrow('returned the same rows')
  expect(asked()).toHaveLength(5)
})

test('a constant cursor is accepted while each page has new rows', async () => {
  let page = 0
  const handler: Handler = () => ({ body: { items: page++ < 4 ? rows(page) : [], next: 'scroll' } })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3, 4])
})

test('a cursor on the last page: has_more decides', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: rows(at(url, 'c') + 1), next: at(url, 'c') + 1, has_more: at(url, 'c') < 2 },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3])
  expect(asked()).toHaveLength(3)
})

test('a cursor on the last page, followed by nothing', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: at(url, 'c') < 3 ? rows(at(url, 'c') + 1) : [], next: Math.min(at(url, 'c') + 1, 3) },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([1, 2, 3])
})

test('an empty page with a cursor is not the end', async () => {
  const handler: Handler = ({ url }) => ({
    body: {
      items: at(url, 'c') % 2 === 0 ? rows(at(url, 'c')) : [],
      next: at(url, 'c') < 6 ? at(url, 'c') + 1 : null,
    },
  })
  expect(await skus({ handler, settings: BY_CURSOR })).toEqual([0, 2, 4, 6])
})

test('endless empty pages with new cursors are given up with a message', async () => {
  const handler: Handler = ({ url }) => ({
    body: { items: at(url, 'c') === 0 ? rows(1) : [], next: at(url, 'c') + 1 },
  })
  const reading = (await open({ handler, settings: BY_CURSOR })).read()
  expect(await readAll(reading)).toEqual([['sku'], [1]])
  expect(reading.warnings).toEqual([
    'Ended after 10 empty pages in a row, although the API named another one.',
  ])
})

test('empty pages with has_more are a failure', async () => {
  const handler: Handler = () => ({ body: { items: [], has_more: true } })
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toThrow('10 pages in a row were empty')
})

test.each([
  ['null for an empty page', { items: null }],
  ['no list on an empty page', { nothing: 'more' }],
])('%s is the end if the connection is configured so, otherwise a failure', async (_name, last) => {
  const handler = pages({ items: rows(1) }, last)
  await expect(skus({ handler, settings: BY_PAGE })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(
      /^Page 2: The reply has no list at the given path.*“A missing list is the end”/,
    ),
  })
  const settings = { ...BY_PAGE, missing_list_is_end: true }
  expect(await skus({ handler, settings })).toEqual([1])
})

test('a first page without a list is a failure that names its fields', async () => {
  const handler: Handler = () => ({ body: { data: [], meta: {} } })
  await expect(skus({ handler, settings: { list_path: '$.items' } })).rejects.toMatchObject({
    kind: 'invalid',
    message: 'The reply has no list at the given path. It has: data, meta.',
  })
})

test('a next-page address that repeats is given up', async () => {
  const handler: Handler = ({ url }) => ({ body: { items: rows(1), next: url.href } })
  await expect(skus({ handler, settings: BY_URL })).rejects.toThrow('returned the same rows three times')
})
