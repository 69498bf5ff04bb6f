import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMountCheck, mountOf } from './mounts.ts'

const here = mkdtempSync(join(tmpdir(), 'mounts-'))
const folders = [
  { name: 'Here', path: here, writable: true },
  { name: 'Gone', path: join(here, 'gone'), writable: false },
]

test('tells folders that can be opened from those that cannot, each time anew', async () => {
  const check = createMountCheck(folders)
  expect(await check()).toEqual({ mounts: ['Here'], missing: ['Gone'] })
  rmdirSync(here)
  expect(await check()).toEqual({ mounts: [], missing: ['Here', 'Gone'] })
})

test('a mount that does not answer is missing, and is not asked again until it has answered', async () => {
  const looks: string[] = []
  const answer = Promise.withResolvers<void>()
  const look = ({ name }: { name: string }) => {
    looks.push(name)
    return name === 'Gone' ? answer.promise : Promise.resolve()
  }
  const check = createMountCheck(folders, look, 1)
  expect(await check()).toEqual({ mounts: ['Here'], missing: ['Gone'] })
  expect(await check()).toEqual({ mounts: ['Here'], missing: ['Gone'] })
  expect(looks).toEqual(['Here', 'Gone', 'Here'])
  answer.resolve()
  await answer.promise
  expect(await createMountCheck(folders, look)()).toEqual({ mounts: ['Here', 'Gone'], missing: [] })
})

test('the folder of a file is the first part of its path; uploaded files need none', () => {
  expect(['Out/2026/prices.xlsx', 'Uploads/7/prices.xlsx'].map(mountOf)).toEqual(['Out', null])
})
