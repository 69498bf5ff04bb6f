import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aMerge } from '../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../test/fixtures/engine.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'

const world = copyWorld()
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  send = withToken(site.app, await aToken(await site.signIn(), 'read'))
})

type Cell = string | number | boolean | null
type Table = { name: string; spreadsheet: string; start_row: number; header: string[]; rows: Cell[][] }

/** Numbers from 0 up to, not including, 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
const next = random(7)
const upTo = (end: number) => Math.floor(next() * end)

const FIELDS = ['Name', 'Price', 'Stock', 'Currency', 'Secret']
const ROWS = 240

/** SKUs overlap, repeat, and differ in case and surrounding blanks; a fifth of the cells is blank in one way or another. */
function tableOf(nth: number): Cell[][] {
  return Array.from({ length: ROWS }, (_, n) => {
    const number = upTo(300)
    const sku = [`sku-${number}`, `SKU-${number}`, ` SKU-${number} `, '', `SKU-${number}`][upTo(5)] ?? ''
    const cells = FIELDS.map(
      (field): Cell =>
        ['', '  ', `${field} ${nth}.${n}`, n + nth / 10, n % 2 === 0, 0, `x${n}`, n, `y${n}`, 7][upTo(10)] ??
        null,
    )
    return [...cells.slice(0, nth), sku, ...cells.slice(nth)]
  })
}

const letters = 'ABCDEFGHIJ'
const isBlank = (cell: Cell | undefined) => cell === undefined || cell === null || String(cell).trim() === ''

/** Where the cells of the target come from, by the rules of the specification: the first row of a SKU counts, sources in their order. */
function plainMerge(
  sources: Table[],
  { group, first }: { group: string[]; first: Record<string, number[]> },
) {
  const skuOf = ({ header }: Table, row: Cell[]) => String(row[header.indexOf('SKU')] ?? '').trim()
  const skus = [...new Set(sources.flatMap((one) => one.rows.map((row) => skuOf(one, row))))].filter(Boolean)
  return skus.map((sku) => {
    const at = sources.map((one) => one.rows.findIndex((row) => skuOf(one, row) === sku))
    const cellOf = (source: number, field: string) =>
      sources[source]?.rows[at[source] ?? -1]?.[sources[source]?.header.indexOf(field) ?? -1]
    const origin = (field: string) => {
      const together = group.includes(field) ? group : [field]
      const order = [...(first[field] ?? []), 0, 1, 2]
      const winner = order.find((source) => together.some((one) => !isBlank(cellOf(source, one))))
      if (winner === undefined || isBlank(cellOf(winner, field))) return null
      const table = sources[winner]
      if (table === undefined) return null
      const address = `${letters[table.header.indexOf(field)]}${table.start_row + 1 + (at[winner] ?? 0)}`
      return { source: winner, address, value: cellOf(winner, field) }
    }
    return { sku, origin }
  })
}

test('1,000 sampled cells of a catalogue of three sources come from the cells that an independent merge names', async () => {
  const group = ['Price', 'Currency']
  const sources: Table[] = []
  const ids: number[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    const header = [...FIELDS.slice(0, nth), 'SKU', ...FIELDS.slice(nth)]
    const start_row = nth + 1
    const rows = tableOf(nth)
    const above = Array.from({ length: nth }, () => ['Title'])
    const spreadsheet = await world.spreadsheet({ Products: [...above, header, ...rows] }, `Source ${nth}`)
    const name = `Source ${nth}`
    ids.push(await world.sourceTask({ spreadsheet_id: spreadsheet, start_row }, { name }))
    sources.push({ name, spreadsheet, start_row, header, rows })
  }
  for (const id of ids) await world.ingest(id)
  const config = await aMerge(world.db, ids)
  await world.db
    .updateTable('compiler_configs')
    .set({
      field_groups: JSON.stringify([group]),
      field_priorities: JSON.stringify([{ field: 'Stock', source_task_ids: [ids[2], ids[1]] }]),
    })
    .where('id', '=', config.id)
    .execute()
  await world.start(config.task_id)
  // Rows without a SKU are left out with a warning.
  expect((await runOf(world.db, config.task_id)).state).toBe('warning')
  const preset = await world.db
    .insertInto('sync_presets')
    .values({ name: 'Left out', excluded_fields: ['Secret'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
  const task = await world.task({
    source_type: 'internal',
    source_compiler_config_id: config.id,
    sync_preset_id: preset.id,
    target_ss_id: target,
    start_row: 4,
  })
  const run = await world.run(task)
  expect(run.state).toBe('success')
  const { target_place } = await world.db
    .selectFrom('sync_tasks')
    .select('target_place')
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow()

  const written = await world.values(target, 'Shop')
  const header = written[3] ?? []
  expect(header).toEqual(['SKU', 'Name', 'Price', 'Stock', 'Currency'])
  const expected = plainMerge(sources, { group, first: { Stock: [2, 1] } })
  expect(written.slice(4).map(([sku]) => sku)).toEqual(expected.map(({ sku }) => sku))
  const cells = expected.flatMap((record, n) =>
    header
      .slice(1)
      .map((field, index) => ({ ...record, field: String(field), range: `${letters[index + 1]}${5 + n}` })),
  )
  expect(cells.length).toBeGreaterThan(1_000)
  const sample = cells
    .map((cell) => ({ cell, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, 1_000)
  let filled = 0
  for (const { cell } of sample) {
    const link = `https://docs.google.com/spreadsheets/d/${target}/edit#gid=${target_place}&range=${cell.range}`
    const reply = await send('GET', `/api/lineage?${new URLSearchParams({ link })}`)
    expect(reply.statusCode, reply.body).toBe(200)
    const { steps, written: found } = Lineage.parse(reply.json())
    const origin = cell.origin(cell.field)
    const chosen = steps[0]?.record?.sources.find(({ state }) => state === 'chosen') ?? null
    const last = steps.at(-1)?.place
    const { spreadsheet = '' } = sources[origin?.source ?? -1] ?? {}
    expect({
      range: cell.range,
      sku: steps[0]?.record?.sku,
      field: steps[0]?.record?.field,
      value: found?.value,
      run: found?.run?.id,
      chosen: chosen && { name: chosen.name, value: chosen.value },
      link: chosen && `${last?.link?.includes(spreadsheet)} ${last?.link?.split('range=')[1]}`,
    }).toEqual({
      range: cell.range,
      sku: cell.sku,
      field: cell.field,
      value: origin?.value ?? null,
      run: run.id,
      chosen: origin && { name: sources[origin.source]?.name, value: origin.value },
      link: origin && `true ${origin.address}`,
    })
    if (origin) filled += 1
  }
  expect(filled).toBeGreaterThan(700)
})
