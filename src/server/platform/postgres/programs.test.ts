import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { majorVersion, packagedPrograms, usablePrograms } from './programs.ts'
import { serverUser } from './server-user.ts'

const root = process.getuid?.() === 0
let folder: string

beforeEach(async () => {
  folder = await testFolder()
})

async function copyOfPackage(into: string): Promise<string> {
  const packaged = join(into, 'native')
  await cp(packagedPrograms(), packaged, { recursive: true, verbatimSymlinks: true })
  return packaged
}

it('creates the links that an install script would have made', async () => {
  const packaged = await copyOfPackage(folder)
  const links = z
    .array(z.object({ target: z.string() }))
    .parse(JSON.parse(await readFile(join(packaged, 'pg-symlinks.json'), 'utf8')))
  expect(links.length).toBeGreaterThan(0)
  for (const { target } of links) await rm(join(folder, target), { force: true })
  const programs = await usablePrograms({ packaged, home: join(folder, 'home'), user: undefined })
  expect(programs).toBe(packaged)
  expect(await majorVersion(programs, undefined)).toBe(18)
})

it.runIf(root)('copies the programs to the home when only root may enter the checkout', async () => {
  const closed = join(folder, 'checkout')
  const home = join(folder, 'home')
  await mkdir(closed, { mode: 0o700 })
  await mkdir(home)
  const user = serverUser(join(home, 'data'))
  const programs = await usablePrograms({ packaged: await copyOfPackage(closed), home, user })
  expect(programs).toBe(join(home, 'native'))
  expect(await majorVersion(programs, user)).toBe(18)
})

it("shows the programs' message if they do not run on this machine", async () => {
  const packaged = await copyOfPackage(folder)
  await writeFile(join(packaged, 'bin/postgres'), '#!/bin/sh\necho no such library >&2\nexit 127\n')
  await expect(usablePrograms({ packaged, home: join(folder, 'home'), user: undefined })).rejects.toThrow(
    'no such library',
  )
})
