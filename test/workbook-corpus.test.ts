import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { read } from '@e965/xlsx'
import { describe, expect, test } from 'vitest'
import type { CellValue } from '../src/contract/tables.ts'
import { OriginFailure } from '../src/server/connectors/connector.ts'
import { patchTab } from '../src/server/connectors/files/workbook/patch-tab.ts'
import { testFolder } from './fixtures/folders.ts'
import { cellsOf, opened, partsOf } from './fixtures/workbooks.ts'

const CORPUS = process.env.WORKBOOKS ?? join(import.meta.dirname, '../../shared/workbooks')
const hasCorpus = existsSync(CORPUS)
if (!hasCorpus) process.stdout.write('Skipped: there are no workbooks in ../shared/workbooks.\n')

/** Broken on purpose, or protected. Every other workbook has to be read. */
const REFUSED: Record<string, RegExp> = {
  'OOM_alloc3.xls': /its content cannot be read/,
  // Its sums of bytes are wrong: unzip refuses it, too.
  'issue252.xlsx': /cannot be unpacked/,
  'pass_protected.ods': /protected with a password/,
  'pass_protected.xlsx': /protected with a password/,
  'too_small.xls': /is not a workbook/,
}

// Every sixth file and those that are refused; all with WORKBOOK_STEP=1, which takes minutes.
const STEP = Number(process.env.WORKBOOK_STEP ?? 6)
const TIMEOUT_MS = STEP === 1 ? 1_800_000 : 300_000
const files = globSync('*/*.{xlsx,xlsm,xls,ods}', { cwd: CORPUS })
  .toSorted()
  .filter((path, index) => index % STEP === 0 || basename(path) in REFUSED)

/** Values that the second reader has otherwise. */
const DIFFERENT = new Set([
  // It keeps blanks at the ends of texts that do not say xml:space="preserve", which Excel removes.
  'whitespace_trim.xlsx',
  // It keeps NUL, which PostgreSQL cannot store.
  'optimize07.xlsx',
  'shared_strings02.xlsx',
  // It drops _x000D_, and the parts after a first plain one.
  'has_x000D_inline.xlsx',
  'richtext-after-plain.xlsx',
])

const isCounted = (error: unknown): error is OriginFailure => error instanceof OriginFailure

describe.runIf(hasCorpus)('real workbooks', () => {
  test('each is read like by another reader, or refused by name', { timeout: TIMEOUT_MS }, async () => {
    const refused: Record<string, string> = {}
    const differences: string[] = []
    for (const path of files) {
      try {
        differences.push(...(await differencesOf(join(CORPUS, path))))
      } catch (error) {
        if (!isCounted(error)) throw new Error(`${path} failed`, { cause: error })
        refused[basename(path)] = error.message
      }
    }
    const count = Object.keys(refused).length
    process.stdout.write(`Read ${files.length - count} of ${files.length}; refused ${count}:\n`)
    for (const message of Object.values(refused)) process.stdout.write(`  ${message}\n`)
    expect(Object.keys(refused).toSorted()).toEqual(Object.keys(REFUSED).toSorted())
    for (const [file, message] of Object.entries(refused)) expect(message).toMatch(REFUSED[file] ?? /^$/)
    expect(differences).toEqual([])
  })

  test('one column is written, and everything else stays', { timeout: TIMEOUT_MS }, async () => {
    const folder = await testFolder()
    const refused: string[] = []
    let kept = 0
    const writable = files.filter((path) => /\.xls[xm]$/.test(path) && !(basename(path) in REFUSED))
    for (const path of writable) {
      const out = join(folder, path.replace('/', '-'))
      try {
        const { parts, written } = await writtenColumn(join(CORPUS, path), out)
        expect({ path, parts }).toEqual({ path, parts: [] })
        expect({ path, ...written }).toEqual({
          path,
          ...written,
          after: written.expected,
          seen: written.expected,
        })
        kept += 1
      } catch (error) {
        if (!isCounted(error)) throw error
        refused.push(error.message)
      }
    }
    process.stdout.write(`Kept ${kept} of ${writable.length}; refused ${refused.length}:\n`)
    for (const message of refused) process.stdout.write(`  ${message}\n`)
    for (const message of refused) expect(message).toMatch(/inside the merged cells/)
    expect(kept).toBeGreaterThan(0.95 * writable.length)
  })
})

/** Texts, booleans and numbers of an .xlsx file that another reader has otherwise. Old formats have one reader only. */
async function differencesOf(path: string): Promise<string[]> {
  const workbook = await opened(path)
  const isOld = /\.(xls|ods)$/.test(path)
  const other = isOld ? null : read(await readFile(path), { dense: true, cellText: false, cellHTML: false })
  const differences: string[] = []
  for (const { name, isGrid } of workbook.tabs) {
    if (!isGrid) continue
    for (const [row, cells] of await cellsOf(workbook, name))
      for (const [column, cell] of cells.entries()) {
        const found = other?.Sheets[name]?.['!data']?.[row - 1]?.[column]
        if (other && !isSame(cell, found?.t === 'e' ? cell : found?.v) && !DIFFERENT.has(basename(path)))
          differences.push(`${basename(path)} ${name} ${row}/${column}: ${cell} ${found?.v}`)
      }
  }
  await workbook.close()
  return differences
}

/** Days of the two date systems are 1,462 apart, and those before March 1900 one. */
function isSame(cell: CellValue, other: unknown): boolean {
  if (typeof cell === 'number' && typeof other === 'number')
    return [0, 1, 1462].some((days) => Math.abs(cell - other - days) < 1e-9)
  return cell === (other === '' || other === undefined ? null : other)
}

/** Writes the column right of all cells of the first tab; returns parts that changed and should not have, and its values. */
async function writtenColumn(path: string, out: string) {
  const workbook = await opened(path)
  const tab = workbook.tabs.find(({ isGrid }) => isGrid)
  if (!tab) return { parts: [], written: { expected: [], after: [], seen: [] } }
  const before = await cellsOf(workbook, tab.name)
  const column = Math.max(0, ...[...before.values()].map((cells) => cells.length))
  const values = ['Column <&>', 1.5, true, 'text', -7, false]
  const rows = values.map((value, n) => ({ row: n + 1, cells: [{ column, value }] }))
  const area = { top: 0, left: column, bottom: values.length - 1, right: column }
  await patchTab(path, tab, { area, rows: [rows] }, out)
  const copy = await opened(out)
  const after = await cellsOf(copy, tab.name)
  const seen = read(await readFile(out), { dense: true }).Sheets[tab.name]?.['!data'] ?? []
  await copy.close()
  await workbook.close()
  return {
    parts: [...(await changedParts(path, out)), ...changedCells(before, after, column)],
    written: {
      expected: values,
      after: values.map((_, n) => after.get(n + 1)?.[column]),
      seen: values.map((_, n) => seen[n]?.[column]?.v),
    },
  }
}

async function changedParts(path: string, out: string): Promise<string[]> {
  const before = await partsOf(path)
  const after = await partsOf(out)
  const isChain = [...before.keys()].some((part) => /calcChain/i.test(part))
  const may = isChain
    ? /worksheets\/|workbook\.xml|Content_Types|calcChain/i
    : /worksheets\/sheet|xl\/workbook\.xml$/i
  const changed = [...before].flatMap(([part, { bytes }]) =>
    after.get(part)?.bytes.equals(bytes) ? [] : [part],
  )
  const sheets = changed.filter((part) => /worksheets\/sheet/i.test(part))
  return [...changed.filter((part) => !may.test(part)), ...sheets.slice(1)]
}

function changedCells(
  before: Map<number, CellValue[]>,
  after: Map<number, CellValue[]>,
  written: number,
): string[] {
  return [...before].flatMap(([row, cells]) =>
    cells.flatMap((cell, column) =>
      column === written || (after.get(row)?.[column] ?? null) === cell
        ? []
        : [`row ${row}, column ${column}`],
    ),
  )
}
