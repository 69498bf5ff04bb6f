import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { testFolder } from '../test/fixtures/folders.ts'
import { buildSite } from './web-build.ts'

const site = { root: 'site', sources: ['site/**/*'], output: 'site/dist' }
let folder: string

beforeEach(async () => {
  folder = await testFolder()
  await mkdir(join(folder, 'site'))
  await writeFile(join(folder, 'site/index.html'), '<title>one</title>')
})

const page = () => readFile(join(folder, 'site/dist/index.html'), 'utf8')

it('builds once, and again only after the sources changed', async () => {
  expect(await buildSite(folder, site)).toBe(true)
  expect(await buildSite(folder, site)).toBe(false)
  await writeFile(join(folder, 'site/index.html'), '<title>two</title>')
  expect(await buildSite(folder, site)).toBe(true)
  expect(await page()).toContain('two')
})

it('builds again when the output was removed', async () => {
  await buildSite(folder, site)
  await rm(join(folder, 'site/dist'), { recursive: true })
  expect(await buildSite(folder, site)).toBe(true)
})

it("fails with the builder's message", async () => {
  await writeFile(join(folder, 'site/index.html'), '<script type="module" src="./gone.js"></script>')
  await expect(buildSite(folder, site)).rejects.toThrow(/site could not be built[\s\S]*gone\.js/)
})
