import { expect, test } from 'vitest'
import { copyWorld } from '../../../../test/copy-world.ts'

const world = copyWorld()

const products = [
  ['SKU', 'Name', 'Price', 'In stock', 'Note'],
  ['007', 'Bolt', 1.25, true, null],
  ['A-1', 'Größe "L"', -0.1, false, '=1+1'],
  ['1/2', ' padded ', 1e-7, true, "'quoted"],
  ['TRUE', 'line\nbreak', 9007199254740992, false, '#N/A!'],
  [null, '📚 \u{10FFFD}', 43831.5, null, '2020-01-01'],
]

test('values of every type arrive as they are', async () => {
  const source = await world.spreadsheet({ Products: products })
  const target = await world.spreadsheet({ Shop: [] })
  const task = await world.task({
    source_ss_id: source,
    source_sheet_name: 'Products',
    target_ss_id: target,
    target_sheet_name: 'Shop',
  })
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(await world.values(target, 'Shop')).toEqual(await world.values(source, 'Products'))
  const again = await world.run(task)
  expect(again.requests.write).toBe(0)
})
