import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { copyWorld, until } from '../fixtures/copy-world.ts'

const world = copyWorld({ worker: false })
beforeEach(() => world.faults())

const table = (mark: string, rows = 4_200) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 10 }, (_, column) => `${mark} ${row}/${column}`),
  )

async function pair(after: string[][], before: string[][]) {
  const source = await world.spreadsheet({ Products: after })
  const target = await world.spreadsheet({ Shop: before })
  const task = await world.task({
    source_ss_id: source,
    source_sheet_name: 'Products',
    target_ss_id: target,
    target_sheet_name: 'Shop',
  })
  return { source, target, task }
}

const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
let state = seed
/** A reproducible random number from 0 to 1. */
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return state / 2_147_483_648
}

/** Reads the first and last cell of a target until stopped: if the first one is new, the last one must be new as well. */
function watch(target: string) {
  let over = false
  const watching = (async () => {
    while (!over) {
      const first = String((await world.values(target, 'Shop!A1'))[0]?.[0])
      const last = String((await world.values(target, 'Shop!J4200'))[0]?.[0])
      if (first.startsWith('new')) expect(last).toMatch(/^new/)
    }
  })()
  return async () => {
    over = true
    await watching
  }
}

test('workers with two copies each are killed at ten random moments: every target has the old or the new table, and every run ends in Success', async () => {
  console.log(`seed ${seed}`)
  const after = table('new')
  for (let round = 0; round < 10; round += 1) {
    const pairs = await Promise.all([1, 2].map(() => pair(after, table('old'))))
    await world.faults({ kind: 'latency', ms: 20, jitter_ms: 300 })
    const first = await world.workerProcess()
    for (const { task } of pairs) {
      await world.start(task)
      await delay(random() * 500)
    }
    await delay(random() * 2_500)
    await first.end('SIGKILL')
    const killed = performance.now()
    const second = await world.workerProcess()
    const stops = pairs.map(({ target }) => watch(target))
    const runs = await Promise.all(pairs.map(({ task }) => world.ended(task)))
    console.log(
      `round ${round}: all over ${((performance.now() - killed) / 1000).toFixed(1)} s after the kill`,
    )
    await Promise.all(stops.map((stop) => stop()))
    for (const [index, { target }] of pairs.entries()) {
      expect(runs[index]).toMatchObject({ state: 'success' })
      expect(await world.values(target, 'Shop')).toEqual(after)
      expect(await world.tabs(target)).toEqual(['Shop'])
    }
    // The request that creates a staging tab may still be in flight if its reply was lost, so its record is kept for an hour.
    const known = world.db.selectFrom('staging_tabs').selectAll().where('seen', '=', true)
    expect(await known.execute()).toEqual([])
    await second.end()
  }
})

test('a worker frozen before its commit, which continues after a later run has succeeded, changes nothing', async () => {
  const { source, target, task } = await pair(table('first'), [['old']])
  await world.faults({ kind: 'latency', ms: 600, match: { method: 'spreadsheets.values.batchUpdate' } })
  const frozen = await world.workerProcess()
  await world.start(task)
  await until(async () => (await world.tabs(target)).length === 2)
  frozen.kill('SIGSTOP')
  const other = await world.workerProcess()
  await world.faults()
  const first = await world.ended(task)
  expect(first.state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(table('first'))

  await world.write(source, 'Products!A1', table('second'))
  expect((await world.run(task)).state).toBe('success')
  const writesBefore = (await world.ledger()).filter(
    ({ kind, applied }) => kind === 'write' && applied,
  ).length
  frozen.kill('SIGCONT')
  // Time for any request that the resumed worker would still send.
  await delay(8_000)
  const writesAfter = (await world.ledger()).filter(({ kind, applied }) => kind === 'write' && applied).length
  expect(writesAfter).toBe(writesBefore)
  expect(await world.values(target, 'Shop')).toEqual(table('second'))
  expect(await world.tabs(target)).toEqual(['Shop'])
  await frozen.end('SIGKILL')
  await other.end()
})

test('in a storm of random faults there is never a wrong Success', async () => {
  console.log(`seed ${seed}`)
  const worker = await world.workerProcess()
  const kinds = [
    '429',
    '500',
    '503',
    'execute-then-timeout',
    'execute-then-reset',
    'reset',
    'half-body',
    'html',
    'broken-json',
  ]
  let succeeded = 0
  for (let round = 0; round < 20; round += 1) {
    const after = table('new', random() < 0.5 ? 4_200 : 50)
    const { target, task } = await pair(after, table('old', 60))
    await world.faults(...kinds.map((kind) => ({ kind, ms: 20, probability: 0.04 + random() * 0.04 })))
    const run = await world.run(task)
    await world.faults()
    const held = await world.values(target, 'Shop')
    if (run.state === 'success') {
      succeeded += 1
      expect(held).toEqual(after)
    } else {
      expect(run.state).toBe('failed')
      expect([after, table('old', 60)]).toContainEqual(held)
      expect((await world.run(task)).state).toBe('success')
      expect(await world.values(target, 'Shop')).toEqual(after)
    }
    expect(await world.tabs(target)).toEqual(['Shop'])
  }
  console.log(`${succeeded} of 20 runs succeeded at once`)
  expect(succeeded).toBeGreaterThan(10)
  await worker.end()
})
