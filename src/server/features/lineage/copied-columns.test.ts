import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { aMerge } from '../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../test/fixtures/engine.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../contract/lineage/server-messages.ts'
import { PreviewReply } from '../../../contract/plans/calls.ts'
import { RunReply } from '../../../contract/runs/wait-for-run.ts'

const world = copyWorld()
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  send = withToken(site.app, await aToken(await site.signIn(), 'run'))
})
beforeEach(() => world.faults())

async function lineageOf(query: Record<string, string>): Promise<Lineage> {
  const reply = await send('GET', `/api/lineage?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return Lineage.parse(reply.json())
}

const linkTo = (spreadsheet_id: string, tab: number, cell: string) =>
  `https://docs.google.com/spreadsheets/d/${spreadsheet_id}/edit#gid=${tab}&range=${cell}`

const titleOf = async (id: number) => {
  const { name } = await world.db
    .selectFrom('tasks')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return `${name} (Shop)`
}

/** Changes the version that a task wrote last. */
async function changeCopy(task: number, fields: { source_columns?: null; read_snapshot_id?: number | null }) {
  const { snapshot_id } = await world.db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  await world.db.updateTable('snapshots').set(fields).where('id', '=', snapshot_id).execute()
}

async function restore(task: number, path: string) {
  const made = PreviewReply.parse((await send('POST', `/api/sync_tasks/${task}/${path}?wait=60`)).json())
  const hash = made.plan?.hash
  const { run } = RunReply.parse(
    (await send('POST', `/api/sync_tasks/${task}/execute?wait=60`, { plan: hash })).json(),
  )
  expect(run?.state).toBe('success')
  return run?.id
}

const header = ['SKU', 'Secret', 'Stock']
const rows = [
  ['A', 's', 1],
  ['B', 's', 2],
  ['C', 's', 3],
]

test('a restored cell comes from the version, and no cell of the source is named', async () => {
  const { source, target, task } = await world.pair([header, ...rows])
  const first = await world.run(task)
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ['Z', 's', 0], ...rows])
  const second = await world.run(task)
  const title = await titleOf(task)
  const restored = async () => (await lineageOf({ task_id: String(task), row: '2', column: 'Stock' })).steps
  expect(await restored()).toMatchObject([{ kind: 'sheet', place: { row: 3 } }])

  const step = { place: null, record: null, notes: [] }
  const undo = await restore(task, 'undo')
  const before = { run_id: second.id, side: 'former' as const }
  expect(await restored()).toMatchObject([
    { ...step, text: messages.restored(title, before), run: { id: undo } },
  ])
  expect((await lineageOf({ link: linkTo(source, 100, 'C3') })).uses).toMatchObject([
    { kind: 'target', text: messages.use_restored(title), link: null },
  ])

  // An edited cell is kept, so the rows are those of no run.
  await world.write(target, 'Shop!C4', [[99]])
  const again = await restore(task, `versions/${first.id}/restore`)
  const wanted = { run_id: first.id, side: 'wanted' as const }
  expect(await restored()).toMatchObject([
    { ...step, text: messages.restored(title, wanted), run: { id: again }, notes: [messages.restored_edits] },
  ])

  await world.run(task)
  expect(await restored()).toMatchObject([{ kind: 'sheet', place: { row: 3 } }])
})

test('renamed, moved and added columns of compiled records', async () => {
  const sheet = await world.spreadsheet({
    Products: [
      ['SKU', 'Name', 'Price'],
      ['A', 'Anchor', 7],
    ],
  })
  const read = await world.sourceTask({ spreadsheet_id: sheet }, { name: 'Only' })
  await world.ingest(read)
  const config = await aMerge(world.db, [read])
  await world.start(config.task_id)
  await runOf(world.db, config.task_id)
  const task = await world.task({
    source_type: 'internal',
    source_compiler_config_id: config.id,
    target_ss_id: await world.spreadsheet({ Shop: [] }, 'Web shop'),
    columns: JSON.stringify([
      { source: 'Price', name: 'Name' },
      { source: 'Name', name: 'Title' },
      { source: 'SKU', name: 'Article' },
    ]),
    extra_columns: JSON.stringify([{ kind: 'constant', name: 'Price', value: 'x' }]),
  })
  await world.run(task)
  const fieldOf = async (column: string) => {
    const { steps } = await lineageOf({ task_id: String(task), row: '1', column })
    return [steps[0]?.record?.sku, steps[0]?.record?.field, steps[0]?.notes]
  }
  const usesOf = async (field: string) =>
    (await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field })).uses
  const added = [messages.extra_column('Price')]
  const expectFields = async (notes: string[]) => {
    expect(await fieldOf('Name')).toEqual(['A', 'Price', notes])
    expect(await fieldOf('Title')).toEqual(['A', 'Name', notes])
    expect(await fieldOf('Article')).toEqual(['A', 'SKU', notes])
    expect(await fieldOf('Price')).toEqual([undefined, undefined, added])
  }
  await expectFields([])
  expect(await usesOf('Price')).toMatchObject([{ text: 'A2 of ‘Shop’ in ‘Web shop’' }])
  // The columns of the copy are not known.
  await changeCopy(task, { source_columns: null })
  await expectFields([])
  expect(await usesOf('Price')).toMatchObject([{ text: 'A2 of ‘Shop’ in ‘Web shop’' }])
  // Nor the version that was copied: the record is found by its SKU.
  await changeCopy(task, { read_snapshot_id: null })
  await expectFields([messages.version_unknown])
})

test('where a copy leaves columns out and they are not known, only the row is named', async () => {
  const preset = await world.db
    .insertInto('sync_presets')
    .values({ name: 'No secrets', excluded_fields: ['Secret'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { source, task } = await world.pair([header, ...rows], [], { sync_preset_id: preset.id })
  await world.run(task)
  await changeCopy(task, { source_columns: null })
  const { uses } = await lineageOf({ link: linkTo(source, 100, 'C3') })
  expect(uses).toMatchObject([
    { text: messages.use_letter_unknown(await titleOf(task), 3), link: expect.stringMatching(/range=3:3$/) },
  ])
})

test('rows of several sources come from their own sheet and row, and end up where these stand', async () => {
  const first = await world.spreadsheet({ DE: [header, ...rows] }, 'Germany')
  const second = await world.spreadsheet(
    {
      FR: [
        ['Stock', 'SKU', 'Prix'],
        [8, 'D', 1],
        [9, 'E', 2],
      ],
    },
    'France',
  )
  const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
  const further = {
    source_type: 'sheet',
    source_ss_id: second,
    source_sheet_name: 'FR',
    source_compiler_config_id: null,
  }
  const task = await world.task({
    ...{ source_ss_id: first, source_sheet_name: 'DE', target_ss_id: target },
    more_sources: JSON.stringify([further]),
    sort_by: JSON.stringify([{ column: 'Stock', descending: true }]),
  })
  await world.run(task)
  const stepsAt = async (cell: string) => (await lineageOf({ link: linkTo(target, 100, cell) })).steps
  expect(await stepsAt('C2')).toMatchObject([{ place: { text: 'A3 of ‘FR’ in ‘France’' } }])
  expect(await stepsAt('C4')).toMatchObject([{ place: { text: 'C4 of ‘DE’ in ‘Germany’' } }])
  expect(await stepsAt('B2')).toEqual([])
  expect(await stepsAt('D1')).toMatchObject([{ place: { text: 'C1 of ‘FR’ in ‘France’' } }])
  const uses = async (id: string, cell: string) => (await lineageOf({ link: linkTo(id, 100, cell) })).uses
  expect(await uses(second, 'A2')).toMatchObject([{ text: 'C3 of ‘Shop’ in ‘Web shop’' }])
  expect(await uses(first, 'A2')).toMatchObject([{ text: 'A6 of ‘Shop’ in ‘Web shop’' }])
})
