import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'

// A limit so low that all but the smallest changes are staged.
const world = copyWorld({ commit_bytes: 300 })

const sized = (rows: number, columns: number) =>
  Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => `${row}/${column}`))

test.each([
  ['fewer rows', 40, 4],
  ['fewer columns', 60, 3],
  ['fewer of both', 7, 2],
])('a table of %s than before is alone on its tab after one commit', async (_, rows, columns) => {
  const { source, target, task } = await world.pair(sized(60, 4))
  await world.run(task)
  await world.api.spreadsheets.values.clear({ spreadsheetId: source, range: 'Products' })
  await world.write(source, 'Products!A1', sized(rows, columns))
  const run = await world.run(task)
  expect(run).toMatchObject({ state: 'success', receipt: { mode: 'staged' } })
  expect(await world.values(target, 'Shop')).toEqual(sized(rows, columns))
  // A repair would hide a wrong commit.
  expect(run.log.filter((line) => line.includes('Writing again'))).toEqual([])
})
