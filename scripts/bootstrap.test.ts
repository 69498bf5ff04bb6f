import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { testFolder } from '../test/fixtures/folders.ts'
import { isAlive, startProcess, until } from '../test/processes/processes.ts'

const lock = (packages: object) => JSON.stringify({ packages: { '': { name: 'rowferry' }, ...packages } })
const installed = (packages: object) => JSON.stringify({ packages })

let root: string

/** A checkout with the bootstrap script and a fake npm that records its arguments and installs `node`. */
beforeEach(async () => {
  root = await testFolder()
  await mkdir(join(root, 'scripts'))
  for (const file of ['bootstrap.mjs', 'exit-with-parent.ts']) {
    await copyFile(join(import.meta.dirname, file), join(root, 'scripts', file))
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}')
  await writeFile(join(root, 'package-lock.json'), lock({ 'node_modules/zod': { version: '1.0.0' } }))
  await writeFile(
    join(root, 'npm.mjs'),
    `import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
     mkdirSync('node_modules/node/bin', { recursive: true })
     writeFileSync('npm-arguments', process.argv.slice(2).join(' '))
     if (!existsSync('node_modules/node/bin/node')) symlinkSync(process.env.NODE_24, 'node_modules/node/bin/node')
     process.exit(Number(process.env.NPM_EXIT ?? 0))`,
  )
})

async function install(packages: object): Promise<void> {
  await mkdir(join(root, 'node_modules/node/bin'), { recursive: true })
  await symlink(process.execPath, join(root, 'node_modules/node/bin/node'))
  await writeFile(join(root, 'node_modules/.package-lock.json'), installed(packages))
}

const ENV = () => ({
  npm_execpath: join(root, 'npm.mjs'),
  NODE_24: process.execPath,
  npm_lifecycle_event: '',
})

async function run(program: string, args: string[] = [], env: Record<string, string> = {}) {
  await writeFile(join(root, 'scripts/program.ts'), program)
  const command = ['scripts/bootstrap.mjs', 'scripts/program.ts', ...args]
  return startProcess(process.execPath, command, { ...ENV(), ...env }, root)
}

const npmArguments = () => readFile(join(root, 'npm-arguments'), 'utf8').catch(() => 'not called')

it('installs packages that are missing, then runs the program with its arguments', async () => {
  const process = await run('console.log("ran", ...process.argv.slice(2))', ['a', 'b c'])
  expect((await process.ended).code).toBe(0)
  expect(process.output()).toContain('ran a b c')
  expect(await npmArguments()).toMatch(/^ci /)
})

it('installs nothing if all packages for this machine are present', async () => {
  await writeFile(
    join(root, 'package-lock.json'),
    lock({
      'node_modules/zod': { version: '1.0.0' },
      'node_modules/mac': { version: '1.0.0', optional: true },
    }),
  )
  await install({ 'node_modules/zod': { version: '1.0.0' } })
  expect((await (await run('')).ended).code).toBe(0)
  expect(await npmArguments()).toBe('not called')
})

it.each([
  ['another version', { 'node_modules/zod': { version: '0.9.0' } }],
  ['too little', {}],
  ['too much', { 'node_modules/zod': { version: '1.0.0' }, 'node_modules/left': { version: '1.0.0' } }],
])('installs again when there is %s', async (_what, packages) => {
  await install(packages)
  await (await run('')).ended
  expect(await npmArguments()).toMatch(/^ci /)
})

it('stops with a message if packages cannot be installed', async () => {
  const process = await run('console.log("ran")', [], { NPM_EXIT: '1' })
  expect((await process.ended).code).toBe(1)
  expect(process.output()).toContain('npm ci failed')
  expect(process.output()).not.toContain('ran')
})

it('ends as the program ends: with its exit code, or by its signal', async () => {
  await install({ 'node_modules/zod': { version: '1.0.0' } })
  expect(await (await run('process.exit(7)')).ended).toEqual({ code: 7, signal: null })
  expect(
    await (await run('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')).ended,
  ).toEqual({
    code: null,
    signal: 'SIGTERM',
  })
})

const PROGRAM = `process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0) })
  setInterval(() => {}, 1000)
  console.log('program ' + process.pid)`

it('passes a signal on to the program', async () => {
  await install({ 'node_modules/zod': { version: '1.0.0' } })
  const process = await run(PROGRAM)
  await process.printed(/program/)
  expect(await process.end('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(process.output()).toContain('asked to end')
})

it('ends the program when it is killed itself', async () => {
  await install({ 'node_modules/zod': { version: '1.0.0' } })
  const process = await run(PROGRAM)
  const pid = Number((await process.printed(/program (\d+)/))[1])
  process.kill('SIGKILL')
  await until('the program has ended', () => !isAlive(pid))
})

it('ends the program when the npm that runs it is killed', async () => {
  await install({ 'node_modules/zod': { version: '1.0.0' } })
  await writeFile(join(root, 'scripts/program.ts'), PROGRAM)
  const npm = startProcess(
    'sh',
    ['-c', '"$NODE_24" scripts/bootstrap.mjs scripts/program.ts; :'],
    { ...ENV(), npm_lifecycle_event: 'start' },
    root,
  )
  const pid = Number((await npm.printed(/program (\d+)/))[1])
  npm.kill('SIGKILL')
  await until('the program has ended', () => !isAlive(pid))
})
