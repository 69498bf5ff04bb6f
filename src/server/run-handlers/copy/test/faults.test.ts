import { beforeEach, describe, expect, test } from 'vitest'
import { shortBackoff } from '../../../../../test/fixtures/copy-settings.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

const world = copyWorld({ timeLimitMs: 2_500 })
// Few cells per request, so that tables are read by values and read back after the commit.
const inPieces = copyWorld({ cellsPerRead: 150 })
const givenUp = copyWorld({ backoff: shortBackoff })
beforeEach(() => Promise.all([world.faults(), inPieces.faults()]))

const methods = [
  'spreadsheets.get',
  'spreadsheets.values.get',
  'spreadsheets.values.batchUpdate',
  'spreadsheets.batchUpdate',
]

const staged = Array.from({ length: 5_000 }, (_, row) =>
  Array.from({ length: 10 }, (_, column) => `${row}/${column}`),
)
const small = staged.slice(0, 20)

const pair = (rows: (string | number)[][]) => world.pair(rows, [['old'], ['old']])

describe('a copy ends in a correct Success although', () => {
  test.each([
    '429',
    '500',
    '503',
    'timeout',
    'execute-then-timeout',
    'reset',
    'execute-then-reset',
    'half-body',
    'html',
    'broken-json',
  ])('every kind of call is answered once with: %s', async (kind) => {
    const { target, task } = await pair(staged)
    await world.faults(...methods.map((method) => ({ kind, ms: 50, count: 1, match: { method } })))
    const run = await world.run(task)
    expect(await world.faultsLeft()).toBe(0)
    expect(run).toMatchObject({
      state: 'success',
      receipt: { mode: 'staged', rows: 4_999, cells_changed: 50_000 },
    })
    expect(run.log.filter((line) => line.startsWith('WARNING'))).toEqual([])
    expect(run.receipt).toMatchObject({ reads: run.requests.read, writes: run.requests.write })
    expect(await world.values(target, 'Shop')).toEqual(staged)
    expect(await world.tabs(target)).toEqual(['Shop'])
  })

  test('a response never ends: the rest is requested in smaller pieces', async () => {
    const { target, task } = await pair(staged)
    await world.faults({ kind: 'slow-body', ms: 1, count: 2, match: { method: 'spreadsheets.values.get' } })
    const run = await world.run(task)
    expect(run.state).toBe('success')
    expect(await world.values(target, 'Shop')).toEqual(staged)
  })

  test('reads after the commit are stale', async () => {
    const { target, task } = await inPieces.pair(small, [['old'], ['old']])
    await inPieces.faults({ kind: 'stale-reads', count: 1, match: { method: 'spreadsheets.values.get' } })
    const run = await inPieces.run(task)
    expect(await inPieces.faultsLeft()).toBe(0)
    expect(run).toMatchObject({ state: 'success', receipt: { writes: 2 } })
    expect(await inPieces.values(target, 'Shop')).toEqual(small)
  })

  test('cells of the source were still loading: another attempt reads them', async () => {
    const { source, target, task } = await pair(small)
    // The grid is too large to be read in the request that finds the tab.
    await world.batch(source, { appendDimension: { sheetId: 100, dimension: 'ROWS', length: 50_000 } })
    await world.faults({ kind: 'loading-cells', count: 1, match: { method: 'spreadsheets.values.get' } })
    const run = await world.run(task)
    expect(run.state).toBe('success')
    expect(run.log.some((line) => line.includes('still loading'))).toBe(true)
    expect(await world.values(target, 'Shop')).toEqual(small)
  })
})

describe('a copy fails, and leaves the target as it was, when', () => {
  test('Google is unavailable for longer than all attempts', async () => {
    const { target, task } = await givenUp.pair(staged, [['old'], ['old']])
    await givenUp.setRetries(task, 0)
    await givenUp.faults({ kind: '503', match: { method: 'spreadsheets.values.batchUpdate' } })
    const run = await givenUp.run(task)
    expect(run.state).toBe('failed')
    expect(run.message).toContain('The service is currently unavailable.')
    expect(await givenUp.values(target, 'Shop')).toEqual([['old'], ['old']])
    expect(await givenUp.tabs(target)).toEqual(['Shop'])
  })

  test('the account may not write to the target, without a second attempt', async () => {
    const { target, task } = await pair(small)
    await world.faults({ kind: 'permission-lost', match: { kind: 'write' } })
    const run = await world.run(task)
    expect(run.state).toBe('failed')
    expect(run.message).toBe(
      'ada@example.com may read but not edit ‘Web shop’: ask its owner for edit access, or choose another account.',
    )
    expect(run.requests.write).toBe(1)
    expect(await world.values(target, 'Shop')).toEqual([['old'], ['old']])
  })

  test('permission is lost while the staging tab is filled', async () => {
    const { target, task } = await pair(staged)
    await world.faults({ kind: 'permission-lost', match: { method: 'spreadsheets.values.batchUpdate' } })
    const run = await world.run(task)
    expect(run.state).toBe('failed')
    expect(await world.values(target, 'Shop')).toEqual([['old'], ['old']])
    expect(await world.tabs(target)).toEqual(['Shop'])
  })
})
