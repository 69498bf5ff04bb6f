import { expect, test } from 'vitest'
import { aMerge } from '../../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../../test/fixtures/engine.ts'
import { aCopy, aSourceTask } from '../../../../../test/fixtures/factories.ts'
import type { CellValue } from '../../../../contract/tables.ts'

const world = copyWorld()
const COLUMNS = ['SKU', 'Name', 'GTIN']

type Settings = Parameters<typeof world.task>[0]

/** A compiled configuration and a task that writes its complete records; `compile` gives it other rows. */
async function catalogue(fields: string[] | null, settings: Settings = {}) {
  const { id: source } = await aSourceTask(world.db)
  const compile = async (rows: CellValue[][]) => {
    await aCopy(world.db, source, COLUMNS, rows)
    await world.start(config.task_id)
    expect((await runOf(world.db, config.task_id)).state).toBe('success')
  }
  const config = await aMerge(world.db, [source])
  const target = await world.spreadsheet({ Shop: [] })
  const task = await world.task({
    ...{ source_type: 'internal', source_ss_id: '', source_sheet_name: '' },
    ...{ source_compiler_config_id: config.id, target_ss_id: target },
    completeness: JSON.stringify({ fields, only_complete: true }),
    ...settings,
  })
  const copied = async () => {
    const ended = await world.run(task)
    expect(ended.state, JSON.stringify(ended)).toBe('success')
    return { rows: await world.values(target, 'Shop'), log: ended.log }
  }
  return { compile, copied }
}

test('only complete records are written; one that becomes incomplete keeps its last written row', async () => {
  const { compile, copied } = await catalogue(['GTIN'])
  await compile([
    ['A', 'Pan', 1],
    ['B', 'Pot', null],
    ['C', 'Lid', 3],
  ])
  const first = await copied()
  expect(first.rows).toEqual([COLUMNS, ['A', 'Pan', 1], ['C', 'Lid', 3]])
  expect(first.log).toContain(
    'INFO 1 record is incomplete: 0 keep the row that was written last, 1 are not written.',
  )
  await compile([
    ['A', 'Large pan', ' '],
    ['B', 'Pot', 2],
    ['C', 'Lid, red', 3],
  ])
  // It keeps the row for as long as it is incomplete.
  for (let n = 0; n < 2; n += 1)
    expect((await copied()).rows).toEqual([COLUMNS, ['A', 'Pan', 1], ['B', 'Pot', 2], ['C', 'Lid, red', 3]])
  await compile([
    ['A', 'Large pan', 4],
    ['C', null, null],
  ])
  expect((await copied()).rows).toEqual([COLUMNS, ['A', 'Large pan', 4], ['C', 'Lid, red', 3]])
})

test('the fields of the header are needed without a list, and a kept row follows its columns', async () => {
  const { compile, copied } = await catalogue(null, {
    columns: JSON.stringify([
      { source: 'Name', name: 'Title' },
      { source: 'SKU', name: 'Number' },
    ]),
    extra_columns: JSON.stringify([{ kind: 'constant', name: 'Shop', value: 'DE' }]),
  })
  await compile([
    ['A', 'Pan', null],
    ['B', null, 5],
  ])
  expect((await copied()).rows).toEqual([
    ['Title', 'Number', 'Shop'],
    ['Pan', 'A', 'DE'],
  ])
  await compile([
    ['A', null, 1],
    ['B', 'Pot', 5],
  ])
  expect((await copied()).rows).toEqual([
    ['Title', 'Number', 'Shop'],
    ['Pan', 'A', 'DE'],
    ['Pot', 'B', 'DE'],
  ])
})

test.each(['update', 'append'] as const)(
  '%s leaves incomplete records out and keeps their rows',
  async (write_mode) => {
    const { compile, copied } = await catalogue(['GTIN'], {
      write_mode,
      key_columns: JSON.stringify(['SKU']),
    })
    await compile([
      ['A', 'Pan', 1],
      ['B', 'Pot', null],
    ])
    expect((await copied()).rows).toEqual([COLUMNS, ['A', 'Pan', 1]])
    await compile([
      ['A', 'Large pan', null],
      ['B', 'Pot', 2],
    ])
    expect((await copied()).rows).toEqual([COLUMNS, ['A', 'Pan', 1], ['B', 'Pot', 2]])
  },
)

test('a needed field that the records do not have fails the run before it writes', async () => {
  const { compile, copied } = await catalogue(['Weight'])
  await compile([['A', 'Pan', 1]])
  await expect(copied()).rejects.toThrow('has no column ‘Weight’')
})

test('incomplete records alone do not empty the target', async () => {
  const { compile, copied } = await catalogue(['GTIN'])
  await compile([['A', 'Pan', 1]])
  await copied()
  await compile([['A', 'Pan', null]])
  expect((await copied()).rows).toEqual([COLUMNS, ['A', 'Pan', 1]])
})
