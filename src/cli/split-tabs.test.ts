import { expect, test } from 'vitest'
import { testApp } from '../../test/fixtures/app.ts'
import { handlerOf, startEngine } from '../../test/fixtures/engine.ts'
import { aSyncTask } from '../../test/fixtures/factories.ts'
import { aToken } from '../../test/fixtures/tokens.ts'
import { commandLine } from '../../test/processes/command-line.ts'
import type { CopyReceipt } from '../contract/runs/receipts.ts'

const receipt: CopyReceipt = {
  ...{ rows: 3, columns: 3, cells_changed: 9, reads: 4, writes: 2, mode: 'small', duration_ms: 1 },
  ...{ source_hash: 'aa', target_hash: 'bb', account: 'ada@example.com' },
  tabs: [
    { value: 'DE', sheet_name: 'Shop DE', rows: 1203, cells_changed: 9, is_cleared: false },
    { value: 'F\u001b[31mR', sheet_name: 'Shop FR', rows: 0, cells_changed: 4, is_cleared: true },
  ],
}

test('after a run of a split task, its tabs are listed, without control characters of their values', async () => {
  const handlers = [handlerOf(async () => ({ message: 'Done', receipt }), { category: 'sync' })]
  const site = await testApp({ handlers })
  await startEngine(site.database, handlers)
  const ada = await site.signIn()
  const ROWFERRY_URL = await site.app.listen({ host: '127.0.0.1', port: 0 })
  await aSyncTask(site.db, { name: 'Shops' })
  const { run } = await commandLine()
  const env = { ROWFERRY_URL, ROWFERRY_TOKEN: await aToken(ada, 'edit') }
  const { exit, out } = await run('run Shops --wait', { env })
  expect(exit).toBe(0)
  const lines = out.split('\n').slice(2, 5)
  expect(lines).toEqual([
    'TAB      VALUE    ROWS     CELLS CHANGED',
    'Shop DE  DE       1203     9',
    'Shop FR  F [31mR  emptied  4',
  ])
})
