import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { DETECT_CSV } from '../../../contract/files/csv-settings.ts'
import { type DelimitedNotes, readDelimited } from './delimited-file.ts'

async function readFile(bytes: Uint8Array, encoding = DETECT_CSV.encoding) {
  const path = join(await testFolder(), 'prices.csv')
  await writeFile(path, bytes)
  const notes: DelimitedNotes[] = []
  const csv = { ...DETECT_CSV, encoding }
  const rows: string[] = []
  const batches = readDelimited({ path, name: 'prices.csv', start_row: 1, csv }, (found) => notes.push(found))
  for await (const batch of batches) rows.push(...batch.map((row) => Buffer.from(row).toString()))
  return { rows, encoding: notes[0]?.format.encoding }
}

const TEXT = 'SKU,Name\n007,Caf'
const latin1 = Buffer.from(`${TEXT}é\n`, 'latin1')

test('a file of plain ASCII is shown as UTF-8, one with a letter of Windows-1252 as such', async () => {
  expect(await readFile(Buffer.from(`${TEXT}e\n`))).toEqual({
    rows: ['["SKU","Name"]', '["007","Cafe"]'],
    encoding: 'utf-8',
  })
  expect((await readFile(Buffer.from(`${TEXT}é\n`))).encoding).toBe('utf-8')
  expect(await readFile(latin1)).toEqual({
    rows: ['["SKU","Name"]', '["007","Café"]'],
    encoding: 'windows-1252',
  })
})

test('an encoding that is set is the one shown', async () => {
  expect((await readFile(Buffer.from(`${TEXT}e\n`), 'windows-1252')).encoding).toBe('windows-1252')
})
