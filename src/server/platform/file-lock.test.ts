import { chmod, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder } from '../../../test/fixtures/folders.ts'
import { startNode } from '../../../test/processes/processes.ts'
import { LockedError, lockFile, UnsafeLockError } from './file-lock.ts'

const holdElsewhere = (path: string) =>
  startNode([
    '--input-type=module',
    '--eval',
    `import { lockFile } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))}
     lockFile(${JSON.stringify(path)})
     console.log('held')
     setInterval(() => {}, 1000)`,
  ])

it('is held by one process at a time, whose id others can read', async () => {
  const path = join(await testFolder(), 'lock')
  const holder = holdElsewhere(path)
  await holder.printed(/held/)
  expect(() => lockFile(path)).toThrow(LockedError)
  expect(() => lockFile(path)).toThrow(`process ${holder.pid}`)
})

it('is free again when its holder is killed', async () => {
  const path = join(await testFolder(), 'lock')
  const holder = holdElsewhere(path)
  await holder.printed(/held/)
  await holder.end('SIGKILL')
  lockFile(path).release()
})

it('is held once per process', async () => {
  const path = join(await testFolder(), 'lock')
  const { release } = lockFile(path)
  expect(() => lockFile(path)).toThrow(LockedError)
  release()
  lockFile(path).release()
})

it.each(['lock', 'lock.pid'])('does not follow a link in place of %s', async (name) => {
  const folder = await testFolder()
  const target = join(folder, 'precious')
  await writeFile(target, 'kept')
  await symlink(target, join(folder, name))
  expect(() => lockFile(join(folder, 'lock'))).toThrow(UnsafeLockError)
  expect(await readFile(target, 'utf8')).toBe('kept')
})

it.runIf(process.getuid?.() === 0)('is not acquired by root in a folder writable by others', async () => {
  const folder = await testFolder()
  await chmod(folder, 0o777)
  expect(() => lockFile(join(folder, 'lock'))).toThrow(`chown root ${folder} && chmod 711 ${folder}`)
})
