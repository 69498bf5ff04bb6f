import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readBook, storeBook } from '../../../../../test/fakes/workbook-folder/book.ts'
import { changeTo, fileReference, rowsOf, targetContext } from '../../../../../test/fixtures/file-target.ts'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { openTarget } from './open-target.ts'
import { partPrefix } from './own-files.ts'
import type { TargetJob } from './target-jobs.ts'
import { type CreateJobs, TargetProcess } from './target-process.ts'

// Each write starts a process.
vi.setConfig({ testTimeout: 120_000 })

/** Less than the program itself needs: as if the workbook took all. */
const TOO_LITTLE = { megabytes: 20, cpu_seconds: 900 }

async function aBook() {
  const folder = await testFolder()
  const path = join(folder, 'book.xlsx')
  await storeBook(path, [{ id: 1, name: 'Shop', rows: [['SKU'], ['A']], formats: new Map() }])
  return { folder, path, folders: [{ name: 'Out', path: folder, writable: true }] }
}

/** Jobs of which some are done by a process that may use hardly any memory. */
const starving =
  (isMeant: (job: TargetJob) => boolean): CreateJobs =>
  (...about) => {
    const [usual, poor] = [new TargetProcess(...about), new TargetProcess(...about, TOO_LITTLE)]
    return { lines: (job, input) => (isMeant(job) ? poor : usual).lines(job, input) }
  }

test('a workbook that takes too much memory fails its run, and harms nothing else', async () => {
  const { folders } = await aBook()
  const createJobs = starving(() => true)
  await expect(
    openTarget(folders, fileReference('Out/book.xlsx'), targetContext(1), { createJobs }),
  ).rejects.toMatchObject({
    name: 'OriginFailure',
    kind: 'invalid',
    message: expect.stringContaining('20 MB'),
  })
})

test('a process that dies while it writes leaves the file as it was, and nothing beside it', async () => {
  const { folders, folder, path } = await aBook()
  const before = readFileSync(path)
  const createJobs = starving(({ work }) => work === 'write')
  const opened = await openTarget(folders, fileReference('Out/book.xlsx'), targetContext(1), { createJobs })
  const target = await opened.begin()
  await rowsOf(target)
  const rows = Array.from({ length: 50_000 }, (_, row) => [`row ${row}`])
  await expect(target.apply(changeTo(rows), async () => {})).rejects.toMatchObject({ kind: 'invalid' })
  expect(readdirSync(folder)).toEqual(['book.xlsx'])
  expect(readFileSync(path).equals(before)).toBe(true)
  // The next run writes it.
  const next = await (await openTarget(folders, fileReference('Out/book.xlsx'), targetContext(2))).begin()
  await rowsOf(next)
  await next.apply(changeTo(rows), async () => {})
  expect((await readBook(path, 'Shop'))[0]?.rows).toEqual(rows)
})

test('rows that cannot be read while they are written fail with their own reason', async () => {
  const { folders, folder } = await aBook()
  const target = await (await openTarget(folders, fileReference('Out/book.xlsx'), targetContext(1))).begin()
  await rowsOf(target)
  const change = changeTo([['SKU'], ['B']])
  const broken = {
    ...change.differing,
    // biome-ignore lint/correctness/useYield: it fails before its first row
    async *read() {
      throw new Error('The stored rows are gone')
    },
  }
  await expect(target.apply({ ...change, differing: broken }, async () => {})).rejects.toThrow(
    'The stored rows are gone',
  )
  expect(readdirSync(folder)).toEqual(['book.xlsx'])
})

test('the process may read no other file, and write none but the copies of its run', async () => {
  const { folder, path } = await aBook()
  const other = await aBook()
  const process = new TargetProcess(path, partPrefix(path, 1), new AbortController().signal)
  const answer = async (job: TargetJob, input?: AsyncIterable<string>) => {
    for await (const _ of process.lines(job, input));
  }
  const find = (of: string) =>
    answer({
      work: 'find',
      ...{ file: { path: of, name: 'book.xlsx', exists: true }, place: null, sheet_name: 'Shop', start: 0 },
    })
  await find(path)
  await expect(find(other.path)).rejects.toMatchObject({ kind: 'unavailable' })

  const noRows = async function* () {
    yield 'null'
  }
  const write = (out: string) =>
    answer(
      {
        work: 'write',
        table: {
          file: { path, name: 'book.xlsx', exists: true },
          ...{ start: 0, exists: true, tab: { id: '1', name: 'Shop' } },
          csv: { delimiter: null, byte_order_mark: null },
        },
        ...{ out, columns: 1, area: { top: 0, left: 0, bottom: 0, right: 0 } },
      },
      noRows(),
    )
  await expect(write(join(folder, 'stolen.xlsx'))).rejects.toMatchObject({ kind: 'unavailable' })
  expect(existsSync(join(folder, 'stolen.xlsx'))).toBe(false)
  await write(`${partPrefix(path, 1)}copy`)
  expect(existsSync(`${partPrefix(path, 1)}copy`)).toBe(true)
})
