import { expect, test } from 'vitest'
import { testDatabase } from '../../../../../test/fixtures/database.ts'
import { aSyncTask } from '../../../../../test/fixtures/factories.ts'
import { saveResult } from '../result/save-result.ts'

test('a task is stale for its editors when a run found its tab under another name, and only then', async () => {
  const { db } = await testDatabase()
  const task = await aSyncTask(db, {
    definition: { source_sheet_name: 'Products', target_sheet_name: 'Shop' },
  })
  const save = (source_name: string, target_name: string) =>
    db.transaction().execute((trx) =>
      saveResult(trx, {
        task_id: task.id,
        snapshot_id: 1,
        before_snapshot_id: null,
        source: { spreadsheet_name: 'Catalogue', sheet_name: source_name, tab_id: '1' },
        target: { spreadsheet_name: 'Web shop', sheet_name: target_name, tab_id: '2' },
        further: [],
        owned_columns: 1,
        owned_rows: 1,
        owned_start_row: 1,
        restores: null,
        source_hash: 'hash',
      }),
    )
  const readAt = async () =>
    (await db.selectFrom('tasks').select('updated_at').where('id', '=', task.id).executeTakeFirstOrThrow())
      .updated_at

  await save('Products', 'Shop')
  expect(await readAt()).toEqual(task.updated_at)
  await save('Goods', 'Shop')
  const renamed = await readAt()
  expect(renamed.getTime()).toBeGreaterThan(task.updated_at.getTime())
  await save('Goods', 'Store')
  expect((await readAt()).getTime()).toBeGreaterThan(renamed.getTime())
})
