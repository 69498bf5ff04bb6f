import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../test/fixtures/app.ts'
import { aSyncTask } from '../test/fixtures/factories.ts'
import { aToken } from '../test/fixtures/tokens.ts'

const run = promisify(execFile)

test('npm run pack:cli: the package installs offline into an empty folder, and runs against a server without anything else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-pack-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'pack-cli.ts'), folder])
  const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  expect(stdout).toMatch(/rowferry-cli-[\d.]+\.tgz: \d+ kB, \d+ kB installed\n$/)
  expect(await readdir(folder)).toEqual([tarball])

  const empty = await mkdtemp(join(tmpdir(), 'rowferry-empty-'))
  onTestFinished(() => rm(empty, { recursive: true }))
  await writeFile(join(empty, 'package.json'), '{}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], { cwd: empty })
  expect((await readdir(join(empty, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    'rowferry-cli',
  ])
  const installed = join(empty, 'node_modules/rowferry-cli')
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).not.toHaveProperty(
    'dependencies',
  )

  const site = await testApp()
  const task = await aSyncTask(site.db, { name: 'Prices' })
  const env = {
    ...process.env,
    HOME: empty,
    ROWFERRY_URL: await site.app.listen({ host: '127.0.0.1', port: 0 }),
    ROWFERRY_TOKEN: await aToken(await site.signIn(), 'read'),
  }
  const rowferry = (...args: string[]) =>
    run(join(empty, 'node_modules/.bin/rowferry'), args, { cwd: empty, env })
  expect((await rowferry('help')).stdout).toContain('run [TASK]')
  expect(JSON.parse((await rowferry('tasks', '--json')).stdout)).toEqual([
    expect.objectContaining({ id: task.id, name: 'Prices' }),
  ])
  await expect(rowferry('run', 'Prices')).rejects.toMatchObject({ code: 5 })
})
