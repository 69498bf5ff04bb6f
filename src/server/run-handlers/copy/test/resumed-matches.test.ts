import { describe, expect, test } from 'vitest'
import type { Cell } from '../../../../../test/fakes/spreadsheets.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { COMMIT } from '../../../../../test/fixtures/edited-copies.ts'

// A worker ends while it writes a target whose rows are matched, and another one takes over.

const world = copyWorld({ proxied: true })

const header = ['SKU', 'Name', 'Stock']
const held: Cell[][] = [
  [...header, 'Note'],
  ['own', 'Mine', 2, 'of own'],
  ['007', 'Bolt', 5, 'of 007'],
  ['008', 'Nut', 3, 'of 008'],
]
const changed: Cell[][] = [header, ['007', 'Bolt', 70], ['008', 'Screw', 3], ['010', 'New', 10]]

const sort = {
  sortRange: {
    range: { sheetId: 100, startRowIndex: 1, endRowIndex: 4, startColumnIndex: 0, endColumnIndex: 4 },
    sortSpecs: [{ dimensionIndex: 0, sortOrder: 'ASCENDING' }],
  },
}

/** The rows after the run or the undo, in the order of `now`. */
const rowsOf = (of: string, now: unknown[][]) => {
  const wanted = new Map((of === 'undo' ? held : changed).map((row) => [row[0], row.slice(0, 3)]))
  return now.map((row) => [...(wanted.get(String(row[0])) ?? row.slice(0, 3)), ...row.slice(3)])
}

/** Starts a run, or the writing of a plan or an undo, and holds its commit. */
async function started(of: string, settings: object = { write_mode: 'update', key_columns: '["SKU"]' }) {
  const rows = held.slice(2).map((row) => row.slice(0, 3))
  const { source, target, task } = await world.pair([header, ...rows], held, {
    on_bad_keys: 'skip',
    ...settings,
  })
  expect(['success', 'warning']).toContain((await world.run(task)).state)
  await world.clear(source, 'Products')
  await world.write(source, 'Products', changed)
  if (of === 'undo') await world.run(task)
  const plans = { run: () => null, plan: () => world.preview(task), undo: () => world.undo(task) }
  const plan = (await plans[of as keyof typeof plans]())?.plan_id ?? null
  const request = world.proxy.hold({ path: new RegExp(target), ...COMMIT })
  await world.start(task, { plan })
  await request.arrived
  const values = () => world.values(target, 'Shop')
  return { target, task, request, values }
}

/** Delivers the commit. Its worker does not get the reply, and waits for its next one. */
async function deliver({ request, target }: Awaited<ReturnType<typeof started>>) {
  const next = world.proxy.hold({ method: 'GET', path: new RegExp(target) })
  request.breakOff()
  await request.deliver()
  await next.arrived
}

describe('a worker that takes over after the commit', () => {
  test.each(['run', 'plan', 'undo'])('of a %s finds rows that were sorted since', async (of) => {
    const held = await started(of)
    await deliver(held)
    await world.batch(held.target, sort)
    const now = await held.values()
    await world.changeEngine()
    const run = await world.ended(held.task)
    expect(['success', 'warning'], run.message).toContain(run.state)
    expect(await held.values(), run.log.join(' ')).toEqual(now)
    // The counts are those of the commit, not of what it left to do.
    if (of === 'run') expect(run.receipt?.by_key).toMatchObject({ added: 1, updated: 2, unchanged: 0 })
  })

  test.each(['run', 'plan', 'undo'])('of a %s repairs rows that were sorted right before it', async (of) => {
    const held = await started(of)
    await world.batch(held.target, sort)
    const now = await held.values()
    await deliver(held)
    await world.changeEngine()
    const run = await world.ended(held.task)
    expect(['success', 'warning'], run.message).toContain(run.state)
    const filled = (rows: unknown[][]) => rows.filter((row) => row.some((cell) => cell !== ''))
    const wanted = [
      ...rowsOf(of, now).filter(([key]) => key !== '010'),
      ...(of === 'undo' ? [] : changed.slice(3)),
    ]
    expect(filled(await held.values()), run.log.join(' ')).toEqual(wanted)
  })
})

describe('a worker that takes over before the commit', () => {
  test.each([
    { of: 'run', settings: { write_mode: 'update', key_columns: '["SKU"]' } },
    { of: 'run', settings: { write_mode: 'append', key_columns: '[]' } },
    { of: 'plan', settings: { write_mode: 'update', key_columns: '["SKU"]' } },
    { of: 'undo', settings: { write_mode: 'update', key_columns: '["SKU"]' } },
    { of: 'plan', settings: { write_mode: 'append', key_columns: '[]' } },
  ])(
    'of a $of writes it, also if the table was edited since: $settings.write_mode',
    async ({ of, settings }) => {
      const held = await started(of, settings)
      held.request.cancel()
      await world.changeEngine()
      await world.write(held.target, 'Shop!D2', [['edited']])
      const run = await world.ended(held.task)
      expect(['success', 'warning'], run.message).toContain(run.state)
      const now = await held.values()
      expect(now[1], run.log.join(' ')).toEqual(['own', 'Mine', 2, 'edited'])
      const keys = now
        .slice(1)
        .map(([key]) => key)
        .filter((key) => key !== '')
      if (of === 'undo') expect(keys).toEqual(['own', '007', '008'])
      else if (settings.write_mode === 'update') expect(keys).toEqual(['own', '007', '008', '010'])
      else expect(keys.slice(-3)).toEqual(['007', '008', '010'])
    },
  )
})
