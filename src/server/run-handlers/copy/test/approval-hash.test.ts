import { expect, test } from 'vitest'
import type { Row } from '../../../../contract/tables.ts'
import { UnownedCellsFinder } from '../ownership/unowned-cells.ts'

const header = ['SKU', 'Price', 'Stock']
const copied: Row[] = [
  ['A', 1, 10],
  ['B', 2, 20],
]

/** Each kind of finding: the rows of the target, and the hash that approvals are stored under in existing databases. */
const findings: [kind: string, target: Row[], hash: string][] = [
  [
    'extra_columns',
    [
      [...header, 'Mine'],
      ['A', 1, 10, 'm1'],
    ],
    'dcbffa45d7f07a29fc3187690d82f0d5ec436034e0ec85e748034fec9a138ff9',
  ],
  [
    'columns_moved',
    [
      ['SKU', 'Mine', 'Price'],
      ['A', 'm1', 1],
      ['B', 'm2', 2],
    ],
    '9c4d91e8f183d88b862faf6c7b2bdf773593328e24b02155633291896b5c703e',
  ],
  [
    'header_moved',
    [['note'], header, ...copied],
    'd67435aad204eae3c57a121417e99f0526bc66212d25eb5b6e1af1e3d4c71de0',
  ],
]

test.each(findings)(
  'an approval of %s that is stored already keeps its meaning',
  async (kind, target, hash) => {
    const areas = [{ start_row: 1, columns: 3, header }]
    const finder = new UnownedCellsFinder({ areas, start_row: 1, columns: 4 })
    for (const [row, cells] of target.entries()) finder.add(row, Buffer.from(JSON.stringify(cells)))
    const finding = await finder.finding(async function* () {
      yield copied
    })
    expect([finding?.kind, finding?.hash]).toEqual([kind, hash])
  },
)
