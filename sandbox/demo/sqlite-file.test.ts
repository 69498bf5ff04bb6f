import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { testFolder } from '../../test/fixtures/folders.ts'
import { writeSqliteFile } from './sqlite-file.ts'

test('the demo database has one table per sheet of the catalogue with text preserved as text, and creating it again gives the same file', async () => {
  const folder = await testFolder()
  writeSqliteFile(folder)
  writeSqliteFile(folder)
  expect(await readdir(folder)).toEqual(['demo.sqlite'])
  const database = new DatabaseSync(join(folder, 'demo.sqlite'), { readOnly: true })
  const count = (table: string) => database.prepare(`select count(*) as rows from ${table}`).get()?.rows
  expect(['products', 'prices', 'stock', 'content'].map(count)).toEqual([1203, 900, 1200, 400])
  expect(database.prepare('select sku, title, fitting from content limit 1').get()).toEqual({
    sku: expect.any(String),
    title: expect.any(String),
    fitting: expect.stringMatching(/./),
  })
  expect(database.prepare("select count(*) as rows from products where sku = '00007'").get()?.rows).toBe(1)
  database.close()
})
