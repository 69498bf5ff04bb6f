import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { testFolder } from '../../../test/fixtures/folders.ts'
import { createLog } from './log.ts'
import { withLogContext } from './log-context.ts'

async function logged(write: (log: Awaited<ReturnType<typeof createLog>>) => void) {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const dataDir = await testFolder()
    const log = await createLog({ role: 'worker', dataDir, level: 'info' })
    write(log)
    const text = await readFile(join(dataDir, 'logs/worker.1.log'), 'utf8')
    expect(printed.mock.calls.map(([line]) => String(line)).join('')).toBe(text)
    return { dataDir, text }
  } finally {
    printed.mockRestore()
  }
}

it('writes one JSON line per entry to the file of its role and to the terminal', async () => {
  const { dataDir, text } = await logged((log) => log.info({ rows: 3 }, 'Copied'))
  expect(JSON.parse(text)).toMatchObject({ level: 'info', role: 'worker', rows: 3, msg: 'Copied' })
  expect((await stat(join(dataDir, 'logs/worker.1.log'))).mode & 0o077).toBe(0)
})

it('keeps foreign text within its line', async () => {
  const name = 'a\n{"level":"fatal","msg":"forged"}\r\u2028\u001b[2J'
  const { text } = await logged((log) => {
    log.info({ name }, name)
    log.warn({ err: new Error(name) }, 'It failed')
  })
  const lines = text.trimEnd().split(/[\r\n]/)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { name, msg: name },
    { err: { message: name } },
  ])
  // No control sequences for a terminal.
  expect(text).not.toContain('\u001b')
})

it('keeps writing to the terminal while the disk of its file is full', async () => {
  const dataDir = await testFolder()
  await mkdir(join(dataDir, 'logs'))
  // A file that cannot be written, as on a full disk.
  await symlink('/dev/full', join(dataDir, 'logs/worker.1.log'))
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const log = await createLog({ role: 'worker', dataDir, level: 'info' })
    for (const rows of [1, 2, 3]) log.info({ rows }, 'Copied')
    expect(printed.mock.calls.map(([line]) => JSON.parse(String(line)).rows)).toEqual([1, 2, 3])
  } finally {
    printed.mockRestore()
  }
})

it('adds the fields of a scope once to its lines', async () => {
  const { text } = await logged((log) => {
    withLogContext({ request_id: 'r1', run_id: 7 }, () => {
      log.info('in a run')
      log.child({ request_id: 'r1' }).info('in a request')
    })
    log.info('outside')
  })
  const lines = text.trimEnd().split('\n')
  const about = { request_id: 'r1', run_id: 7 }
  expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining(about),
    expect.objectContaining(about),
  ])
  for (const line of lines) expect(line.split('"request_id"').length).toBeLessThan(3)
  expect(lines[2]).not.toContain('run_id')
})

const CANARY = 'canary-0123456789-abcdefghij'

it.each([
  ['a header', { req: { headers: { authorization: `Bearer ${CANARY}`, cookie: `s=${CANARY}` } } }],
  ['a reply header', { res: { headers: { 'set-cookie': CANARY } } }],
  ['a field of its own', { refresh_token: CANARY, token: CANARY, config: { secretKey: CANARY } }],
  ['a field far down', { a: { b: { c: { d: { refresh_token: CANARY, client_secret: CANARY } } } } }],
  [
    'an error of a Google client',
    { err: Object.assign(new Error('x'), { config: { headers: { Authorization: CANARY } } }) },
  ],
  ['the message of an error', { err: new Error(`GET https://a.example/?code=${CANARY}&state=${CANARY}`) }],
  ['the cause of an error', { err: new Error('x', { cause: new Error(`ya29.${CANARY}`) }) }],
  ['a form', { text: `grant_type=refresh&refresh_token=${CANARY}&client_secret=${CANARY}` }],
  ['JSON within a text', { text: JSON.stringify({ access_token: CANARY }) }],
  ['the address of a database', { text: `postgresql://rowferry:${CANARY}@db.example/rowferry` }],
])('keeps secrets out of the log: %s', async (_place, entry) => {
  const { text } = await logged((log) => log.error(entry, 'Failed'))
  expect(text).toContain('Failed')
  expect(text).not.toContain(CANARY)
})

it("contains an error's message, code and cause", async () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const { text } = await logged((log) => log.error({ err: new Error('No database', { cause }) }, 'Failed'))
  expect(JSON.parse(text).err).toMatchObject({
    message: 'No database',
    stack: expect.stringContaining('log.test.ts'),
    cause: { message: 'refused', code: 'ECONNREFUSED' },
  })
})

it('rotates every 10 MB and keeps five files', async () => {
  const { dataDir } = await logged((log) => log.info('first'))
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const log = await createLog({ role: 'worker', dataDir, level: 'info' })
  const megabyte = 'x'.repeat(1024 ** 2)
  for (let n = 0; n < 70; n += 1) {
    log.info(megabyte)
    await new Promise(setImmediate)
  }
  printed.mockRestore()
  await vi.waitFor(async () => expect(await readdir(join(dataDir, 'logs'))).toHaveLength(5))
})
