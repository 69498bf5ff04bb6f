import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '../test/fixtures/folders.ts'
import { ownDataFolders } from './data-folders.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

it('makes existing files readable by their owner only, and does not follow links', async () => {
  const folder = await testFolder()
  const books = join(folder, 'sandbox/books')
  await mkdir(books, { recursive: true })
  await chmod(books, 0o755)
  await writeFile(join(books, 'journal'), '', { mode: 0o644 })
  await writeFile(join(folder, 'elsewhere'), '', { mode: 0o644 })
  await symlink(join(folder, 'elsewhere'), join(books, 'link'))
  ownDataFolders(folder, process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined)
  expect(await modeOf(books)).toBe(0o700)
  expect(await modeOf(join(books, 'journal'))).toBe(0o600)
  expect(await modeOf(join(folder, 'elsewhere'))).toBe(0o644)
  expect((await stat(join(folder, 'elsewhere'))).uid).toBe(process.getuid?.())
  if (process.getuid?.() === 0) expect((await stat(join(books, 'journal'))).uid).toBe(65_534)
})
