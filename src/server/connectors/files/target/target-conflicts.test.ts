import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type BookTab, readBook, storeBook } from '../../../../../test/fakes/workbook-folder/book.ts'
import {
  begun,
  changeTo,
  fileReference,
  rowsOf,
  targetContext,
  write,
} from '../../../../../test/fixtures/file-target.ts'
import type { Row } from '../../../../contract/tables.ts'
import { OriginFailure } from '../../connector.ts'
import { findEditorLock } from '../editor-lock.ts'
import { cleanUp, openTarget } from './open-target.ts'
import { lockPath, partPath } from './own-files.ts'
import { sweep } from './sweep.ts'

// Each write starts a process.
vi.setConfig({ testTimeout: 120_000 })

let root = ''
let folder = ''
let folders = [{ name: 'Out', path: '', writable: true }]
const reference = fileReference('Out/Web shop.xlsx')
const path = () => join(folder, 'Web shop.xlsx')

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'file-target-'))
})
afterAll(() => rmSync(root, { recursive: true }))
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'))
  folders = [{ name: 'Out', path: folder, writable: true }]
})

const book = (...tabs: [name: string, rows: Row[]][]): BookTab[] =>
  tabs.map(([name, rows], n) => ({ id: n + 1, name, rows, formats: new Map() }))

const rowsIn = async (tab: string) => (await readBook(path(), tab))[0]?.rows

/** Names of files that Rowferry has left in the folder. */
const leftOver = () => readdirSync(folder).filter((name) => name.startsWith('.rowferry'))

const old: Row[] = [
  ['SKU', 'Price', 'Mine'],
  ['A', 1, 'kept'],
  ['B', 2],
]
const fresh: Row[] = [
  ['SKU', 'Price'],
  ['A', 10],
  ['C', 30],
  ['D', 40],
]

test('what a person saves while a run writes is never lost: the run starts again', async () => {
  await storeBook(path(), book(['Shop', old]))
  const target = await begun(folders, reference, targetContext(1))
  await rowsOf(target)
  await storeBook(path(), book(['Shop', [['SKU'], ['hers']]]))
  await expect(target.apply(changeTo(fresh), async () => {})).rejects.toMatchObject({
    kind: 'tab_gone',
    message: '‘Web shop.xlsx’ was changed while it was copied.',
  })
  expect(await rowsIn('Shop')).toEqual([['SKU'], ['hers']])
  expect(leftOver()).toEqual([])
})

test('a save during the very last steps is noticed too, in place or by another file', async () => {
  for (const inPlace of [true, false]) {
    await storeBook(path(), book(['Shop', old]))
    const hers = join(folder, 'hers.xlsx')
    await storeBook(hers, book(['Shop', [['SKU'], ['hers']]]))
    let steps = 0
    const context = targetContext(1, {
      beforeRequest: async () => {
        steps += 1
        // 1: opened, 2: read, 3: before writing, 4: before the rename.
        if (steps !== 4) return
        if (inPlace) writeFileSync(path(), readFileSync(hers))
        else await storeBook(path(), book(['Shop', [['SKU'], ['hers']]]))
      },
    })
    await expect(write(folders, reference, changeTo(fresh), context)).rejects.toThrow('was changed while')
    expect(steps).toBe(4)
    expect(await rowsIn('Shop')).toEqual([['SKU'], ['hers']])
  }
})

test('a file that appears while it is created is not replaced', async () => {
  let steps = 0
  const context = targetContext(1, {
    beforeRequest: async () => {
      steps += 1
      if (steps === 4) await storeBook(path(), book(['Shop', [['hers']]]))
    },
  })
  await expect(write(folders, reference, changeTo(fresh), context)).rejects.toMatchObject({
    kind: 'tab_gone',
  })
  expect(await rowsIn('Shop')).toEqual([['hers']])
})

test('runs that write several tabs of one workbook at once wait for each other; none loses a change', async () => {
  await storeBook(path(), book(['One', old], ['Two', old], ['Three', old]))
  const tabs = ['One', 'Two', 'Three']
  const writeUntilDone = async (tab: string, run_id: number): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await write(folders, fileReference('Out/Web shop.xlsx', tab), changeTo(fresh), targetContext(run_id))
        return tries
      } catch (error) {
        if (!(error instanceof OriginFailure && error.kind === 'tab_gone')) throw error
      }
    }
  }
  await Promise.all(tabs.map((tab, n) => writeUntilDone(tab, n + 1)))
  for (const tab of tabs) expect((await rowsIn(tab))?.[1]).toEqual(['A', 10, 'kept'])
  expect(leftOver()).toEqual([])
})

test('an attempt that was frozen before its rename cannot commit after another one has begun', async () => {
  await storeBook(path(), book(['Shop', old]))
  let steps = 0
  const context = targetContext(1, {
    beforeRequest: async () => {
      steps += 1
      if (steps !== 4) return
      expect(await (await openTarget(folders, reference, targetContext(2))).isWritePending()).toBe(true)
      // The next run finds the target as it should be, and ends without a write.
      await begun(folders, reference, targetContext(2))
    },
  })
  await expect(write(folders, reference, changeTo(fresh), context)).rejects.toMatchObject({
    kind: 'tab_gone',
    message: '‘Web shop.xlsx’ was taken over by another run while it was copied.',
  })
  expect(await rowsIn('Shop')).toEqual(old)
  expect(leftOver()).toEqual([])
})

test('a run that takes over the lock of another attempt of the same run wins', async () => {
  await storeBook(path(), book(['Shop', old]))
  let steps = 0
  const context = targetContext(1, {
    beforeRequest: async () => {
      steps += 1
      if (steps === 4) await write(folders, reference, changeTo([['SKU'], ['second']]), targetContext(1))
    },
  })
  await expect(write(folders, reference, changeTo(fresh), context)).rejects.toMatchObject({
    kind: 'tab_gone',
  })
  expect((await rowsIn('Shop'))?.[1]?.[0]).toBe('second')
})

test.each([
  [
    '~$Web shop.xlsx',
    Buffer.concat([
      Buffer.from([3]),
      Buffer.from('Ada'.padEnd(54)),
      Buffer.from([5, 0]),
      Buffer.from('Ada Ł', 'utf16le'),
    ]),
    'Ada Ł',
  ],
  ['~$Web shop.xlsx', Buffer.concat([Buffer.from([3]), Buffer.from('Ada'.padEnd(54))]), 'Ada'],
  ['~$Web shop.xlsx', Buffer.alloc(0), ''],
  [
    '.~lock.Web shop.xlsx#',
    Buffer.from(',ada,desk-7,27.11.2026 10:00,file:///home/ada/.config;'),
    'ada, desk-7',
  ],
  ['.~lock.Web shop.xlsx#', Buffer.from('Ada\\, L.,ada,,27.11.2026 10:00,;'), 'Ada\\, L.'],
])(
  'a workbook that is open (%s) is written when it is closed; the log names who has it',
  async (name, content, owner) => {
    await storeBook(path(), book(['Shop', old]))
    writeFileSync(join(folder, name), content)
    expect(await findEditorLock(path())).toEqual({ file: name, owner })
    const log: string[] = []
    const context = targetContext(1, {
      log: async (line) => {
        log.push(line)
        rmSync(join(folder, name))
      },
    })
    await write(folders, reference, changeTo(fresh), context)
    expect(log).toEqual([
      `‘Web shop.xlsx’ is open in a spreadsheet program${owner === '' ? '' : ` (${owner})`}. The run waits until it is closed. If it is not open anywhere, delete ‘${name}’ beside it.`,
    ])
    expect((await rowsIn('Shop'))?.[3]).toEqual(['D', 40])
  },
)

test('waiting for a workbook that stays open ends with the run, and changes nothing', async () => {
  await storeBook(path(), book(['Shop', old]))
  const target = await openTarget(folders, reference, targetContext(1))
  writeFileSync(join(folder, '~$Web shop.xlsx'), '')
  const stop = new AbortController()
  const log = async () => stop.abort(new Error('The run took too long'))
  const waiting = await openTarget(folders, reference, targetContext(1, { signal: stop.signal, log }))
  await expect(waiting.begin()).rejects.toThrow('The run took too long')
  expect(await rowsOf(target)).toEqual(old)
})

test('the file behind a link is replaced; its mode stays', async () => {
  mkdirSync(join(folder, 'real'))
  const real = join(folder, 'real', 'book.xlsx')
  await storeBook(real, book(['Shop', old]))
  chmodSync(real, 0o640)
  symlinkSync(real, path())
  await write(folders, reference, changeTo(fresh), targetContext(1))
  expect(lstatSync(path()).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
  expect((await rowsIn('Shop'))?.[1]).toEqual(['A', 10, 'kept'])
})

test.each<[string, (file: string) => void, string, string]>([
  ['a hard link', (file) => linkSync(file, join(folder, 'twin.xlsx')), 'Out/Web shop.xlsx', 'hard links'],
  [
    'a file without permission to write',
    (file) => chmodSync(file, 0o444),
    'Out/Web shop.xlsx',
    'is read-only',
  ],
  ['a pattern', () => {}, 'Out/Web*.xlsx', 'has a *'],
  ['a path out of the folder', () => {}, 'Out/../Web shop.xlsx', 'is not the path of a file'],
  ['a new file of another kind', () => {}, 'Out/new.xls', 'ends with .xlsx, .csv or .tsv'],
  ['a new file in a folder that is missing', () => {}, 'Out/none/new.xlsx', 'its folder does not exist'],
  [
    'a link to nothing',
    () => symlinkSync(join(folder, 'none'), join(folder, 'link.xlsx')),
    'Out/link.xlsx',
    'a link to a file that does not exist',
  ],
  ['an unknown folder', () => {}, 'In/new.xlsx', 'There is no folder ‘In’'],
])('%s is refused', async (_name, prepare, id, message) => {
  await storeBook(path(), book(['Shop', old]))
  prepare(path())
  await expect(openTarget(folders, fileReference(id), targetContext(1))).rejects.toThrow(message)
})

test('a folder that can only be read is refused', async () => {
  await storeBook(path(), book(['Shop', old]))
  const readable = [{ name: 'Out', path: folder, writable: false }]
  await expect(openTarget(readable, reference, targetContext(1))).rejects.toThrow(
    'can be read but not written',
  )
})

test('a table that does not fit in a tab is refused before anything is written', async () => {
  await storeBook(path(), book(['Shop', old]))
  const target = await begun(folders, reference, targetContext(1))
  const change = { ...changeTo(fresh), rows: 1_048_577 }
  await expect(target.apply(change, async () => {})).rejects.toMatchObject({ kind: 'too_large' })
  expect(await rowsIn('Shop')).toEqual(old)
})

test('what dead runs have left is removed, and what a living one uses is not', async () => {
  await storeBook(path(), book(['Shop', old]))
  const dead = { token: '00000000-0000-4000-8000-000000000000', run_id: 7, host: 'elsewhere', pid: 1 }
  const part = partPath({ path: path(), tab: '1', ...dead })
  writeFileSync(part, 'half')
  await sweep(folders)
  expect(leftOver()).toEqual([])
  // A lock of another machine that is renewed keeps its copy.
  writeFileSync(part, 'half')
  writeFileSync(lockPath(path()), JSON.stringify(dead))
  await sweep(folders)
  expect(leftOver()).toHaveLength(2)
  const before = new Date(Date.now() - 180_000)
  utimesSync(lockPath(path()), before, before)
  await sweep(folders)
  expect(leftOver()).toEqual([])
  writeFileSync(part, 'half')
  await cleanUp(folders, reference, 8)
  expect(leftOver()).toHaveLength(1)
  await cleanUp(folders, reference, 7)
  expect(leftOver()).toEqual([])
})

test('a lock that is not renewed is taken over, and its copy is removed', async () => {
  await storeBook(path(), book(['Shop', old]))
  const other = { token: '00000000-0000-4000-8000-000000000000', run_id: 7, host: 'elsewhere', pid: 1 }
  const part = partPath({ path: path(), tab: 'another', ...other })
  writeFileSync(part, 'half')
  writeFileSync(lockPath(path()), JSON.stringify(other))
  const log: string[] = []
  const context = targetContext(1, {
    log: async (line) => {
      log.push(line)
      const before = new Date(Date.now() - 180_000)
      utimesSync(lockPath(path()), before, before)
    },
  })
  await write(folders, reference, changeTo(fresh), context)
  expect(log).toEqual(['‘Web shop.xlsx’ is being written by run 7 on elsewhere.'])
  expect((await rowsIn('Shop'))?.[3]).toEqual(['D', 40])
  expect(leftOver()).toEqual([])
})
