import { copyFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { testDatabase } from '../test/fixtures/database.ts'
import { testFolder } from '../test/fixtures/folders.ts'
import { RELEASE_KEY, releaseFile } from '../test/fixtures/releases.ts'
import { startNode, startProcess } from '../test/processes/processes.ts'

async function command(args: string[], env: Record<string, string>) {
  const program = startNode(args, { SECRET_KEY: RELEASE_KEY, ...env })
  const { code } = await program.ended
  return { code, output: program.output() }
}

/** Creates a database without open connections. */
async function aDatabase(statement = 'select'): Promise<string> {
  const { url, db } = await testDatabase()
  await db.destroy()
  await query(url, statement)
  return url
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return (await client.query(statement).finally(() => client.end())).rows
}

test('npm run restore prints its usage', async () => {
  for (const args of [[], ['a', 'b'], ['a', '--force']])
    expect(await command(['scripts/restore.ts', ...args], {})).toEqual({
      code: 2,
      output: expect.stringMatching(/^usage: npm run restore -- \[--keep-tokens\] \[--unsigned\] FILE\n/),
    })
})

test('npm run restore accepts a backup without a signature only with the option, and revokes its tokens and sessions', async () => {
  const file = join(await testFolder(), 'rowferry.backup')
  await copyFile(releaseFile('0.1.0'), file)
  const env = { DATABASE_URL: await aDatabase() }
  expect(await command(['scripts/restore.ts', file], env)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^\S+ carries no signature: .* run npm run restore -- --unsigned FILE\.\n$/,
    ),
  })
  const { code, output } = await command(['scripts/restore.ts', '--unsigned', file], env)
  expect(output).toContain('Revoked: 1 API tokens (--keep-tokens keeps them).\n')
  expect(output).toMatch(
    /Ended: \d+ sessions\.\n[\d,]+ rows restored\. Rowferry can be started; all users have to sign in again\.\n$/,
  )
  expect(code).toBe(0)
})

test("npm run restore keeps another program's objects in the database and lists them", async () => {
  const url = await aDatabase('create table customers as select generate_series(1, 1000) as id')
  expect(
    await command(['scripts/restore.ts', '--unsigned', releaseFile('0.1.0')], { DATABASE_URL: url }),
  ).toEqual({
    code: 1,
    output:
      'The database holds what is not Rowferry’s: table “customers”. Nothing was changed. Restore into a database of its own.\n',
  })
  expect(await query(url, 'select id from customers')).toHaveLength(1000)
})

test('npm run backup writes nothing into DATA_DIR while the server runs, since its disk may be full', async () => {
  const DATA_DIR = join(await testFolder(), 'data')
  const server = await startPostgres({ dataDir: DATA_DIR, settings: { fsync: 'off' } })
  try {
    expect(await command(['scripts/migrate.ts'], { DATABASE_URL: server.url })).toMatchObject({ code: 0 })
    const { mtimeMs } = await stat(DATA_DIR)
    const file = join(await testFolder(), 'rowferry.backup')
    const { code, output } = await command(['scripts/backup.ts', file], { DATA_DIR })
    expect(output).toMatch(/It is signed under SECRET_KEY \(\w+\), which is not in the file/)
    expect(code).toBe(0)
    expect((await stat(DATA_DIR)).mtimeMs).toBe(mtimeMs)
  } finally {
    await server.stop()
  }
})

test('npm run backup says why a file cannot be written, and leaves none', async () => {
  const [DATABASE_URL, folder] = [await aDatabase(), await testFolder()]
  const file = join(folder, 'rowferry.backup')
  // Simulates a full disk: a file cannot exceed a few blocks.
  const shell = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, 'scripts/backup.ts', file]
  const full = startProcess('/bin/sh', shell, { SECRET_KEY: RELEASE_KEY, DATABASE_URL })
  expect((await full.ended).code).toBe(1)
  expect(full.output()).toMatch(new RegExp(`^${file} cannot be written: file too large\\.\n$`, 'm'))
  expect(await readdir(folder)).toEqual([])
  expect(await command(['scripts/backup.ts', '/proc/rowferry.backup'], { DATABASE_URL })).toEqual({
    code: 1,
    output: expect.stringMatching(/^\/proc\/rowferry\.backup\.part cannot be written: [^\n]+\.\n$/),
  })
})
