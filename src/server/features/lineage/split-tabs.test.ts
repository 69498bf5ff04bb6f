import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../../test/fixtures/app.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../contract/lineage/server-messages.ts'

const world = copyWorld()
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  send = withToken(site.app, await aToken(await site.signIn(), 'read'))
})
beforeEach(() => world.faults())

const ask = (query: Record<string, string>) => send('GET', `/api/lineage?${new URLSearchParams(query)}`)

async function lineageOf(query: Record<string, string>): Promise<Lineage> {
  const reply = await ask(query)
  expect(reply.statusCode, reply.body).toBe(200)
  return Lineage.parse(reply.json())
}

const linkTo = (spreadsheet_id: string, tab: number | string, range: string) =>
  `https://docs.google.com/spreadsheets/d/${spreadsheet_id}/edit?gid=${tab}#gid=${tab}&range=${range}`

const tabsOf = async (spreadsheetId: string) => {
  const { data } = await world.api.spreadsheets.get({ spreadsheetId })
  return (title: string) =>
    data.sheets?.find(({ properties }) => properties?.title === title)?.properties?.sheetId ?? -1
}

const header = ['SKU', 'Country', 'Stock']
const rows = [
  ['1', 'DE', 5],
  ['2', 'FR', 3],
  ['3', 'DE', 8],
]

test('a cell of a tab of a split task comes from its row of the source, which ends up in that tab', async () => {
  const { source, target, task } = await world.pair([header, ...rows], [], { split_by: 'Country' })
  await world.run(task)
  const tab = await tabsOf(target)
  const written = await lineageOf({ link: linkTo(target, tab('DE'), 'C3') })
  expect(written.written).toMatchObject({ state: 'value', value: 8, task: { id: task } })
  expect(written.steps).toMatchObject([{ kind: 'sheet', place: { row: 4 } }])
  expect(written.steps[0]?.place?.text).toBe(messages.sheet('C4', 'Products', 'Catalogue'))

  const sourceTab = await tabsOf(source)
  const uses = async (range: string) =>
    (await lineageOf({ link: linkTo(source, sourceTab('Products'), range) })).uses
  expect(await uses('C4')).toMatchObject([
    { text: messages.sheet('C3', 'DE', 'Web shop'), task: { id: task } },
  ])
  expect((await uses('C4'))[0]?.link).toContain(`gid=${tab('DE')}&range=C3`)
  expect(await uses('C3')).toMatchObject([{ text: messages.sheet('C2', 'FR', 'Web shop') }])
  expect((await uses('A1')).map(({ text }) => text)).toEqual([
    messages.sheet('A1', 'DE', 'Web shop'),
    messages.sheet('A1', 'FR', 'Web shop'),
  ])
  const stored = await lineageOf({ task_id: String(task), row: '3', column: 'Stock' })
  expect([stored.title, stored.written?.value]).toEqual([messages.sheet('C3', 'DE', 'Web shop'), 8])
})

test('rows of a kept tab, whose value is gone, are not taken for rows of the last run', async () => {
  const { source, target, task } = await world.pair([header, ...rows], [], { split_by: 'Country' })
  await world.run(task)
  await world.clear(source, 'Products')
  await world.write(source, 'Products', [header, ['1', 'DE', 5], ['9', 'IT', 1]])
  await world.run(task)
  const [tab, sourceTab] = [await tabsOf(target), await tabsOf(source)]
  const { uses } = await lineageOf({ link: linkTo(source, sourceTab('Products'), 'C3') })
  expect(uses.map(({ text }) => text)).toEqual([messages.sheet('C2', 'IT', 'Web shop')])
  expect((await lineageOf({ link: linkTo(target, tab('FR'), 'C2') })).written).toMatchObject({ value: 3 })
  const reply = await ask({ link: linkTo(target, tab('Shop'), 'A1') })
  expect([reply.statusCode, reply.json().message]).toEqual([404, messages.tab_unknown(['DE', 'FR', 'IT'])])
})

test('a tab with rows of several sources knows the source of each row', async () => {
  const further = await world.spreadsheet({ Outlet: [header, ['7', 'FR', 2], ['8', 'DE', 4]] })
  const { target, task } = await world.pair([header, ...rows], [], {
    split_by: 'Country',
    more_sources: JSON.stringify([
      {
        source_type: 'sheet',
        source_ss_id: further,
        source_sheet_name: 'Outlet',
        source_compiler_config_id: null,
      },
    ]),
  })
  await world.run(task)
  const tab = await tabsOf(target)
  const { steps } = await lineageOf({ link: linkTo(target, tab('DE'), 'C4') })
  expect(steps[0]?.place).toMatchObject({ row: 3, link: expect.stringContaining(further) })
})

test('a cell of a split tab has its value since the run that wrote it there', async () => {
  const { source, target, task } = await world.pair([header, ...rows], [], { split_by: 'Country' })
  const first = await world.run(task)
  await world.write(source, 'Products!C4', [[80]])
  const second = await world.run(task)
  // A run that changes another tab only is none of this cell.
  await world.write(source, 'Products!C3', [[30]])
  await world.run(task)
  const tab = await tabsOf(target)
  const sinceOf = async (range: string) =>
    (await lineageOf({ link: linkTo(target, tab('DE'), range) })).written?.since
  expect(await sinceOf('C3')).toMatchObject({ run_id: second.id, is_exact: true, former: 8 })
  expect(await sinceOf('C2')).toMatchObject({ run_id: first.id })
})
