import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { recordsOf } from '../demo-api/records.ts'
import { contentRows, masterRows, priceRows, stockRows } from './catalogue.ts'

const FILE = 'demo.sqlite'

/** Recreates `demo.sqlite` in a folder, with one table per sheet of the demo catalogue. */
export function writeSqliteFile(folder: string): void {
  mkdirSync(folder, { recursive: true })
  // Written to a temporary file and renamed, so that readers never see a partial database.
  const unfinished = join(folder, `${FILE}.new`)
  rmSync(unfinished, { force: true })
  const database = new DatabaseSync(unfinished)
  database.exec('begin')
  for (const [table, rows] of Object.entries(TABLES)) {
    const { fields, values } = recordsOf(rows())
    database.exec(`create table ${table} (${fields.map((field) => `"${field}"`).join(', ')})`)
    const insert = database.prepare(`insert into ${table} values (${fields.map(() => '?').join(', ')})`)
    for (const row of values)
      insert.run(...row.map((value) => (typeof value === 'boolean' ? Number(value) : value)))
  }
  database.exec('commit')
  database.close()
  renameSync(unfinished, join(folder, FILE))
}

const TABLES = { products: masterRows, prices: priceRows, stock: stockRows, content: contentRows }
