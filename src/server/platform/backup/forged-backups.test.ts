import { readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { BACKUP_KEYS, backupWorld, withTable } from '../../../../test/fixtures/backups.ts'
import { aSyncTask, aUser } from '../../../../test/fixtures/factories.ts'
import { deriveKeys } from '../auth/keys.ts'
import { line } from './frames.ts'

const world = backupWorld()
const { backup, restore, restored } = world

beforeEach(async () => {
  await aUser(world.from.db)
  await aSyncTask(world.from.db, { name: 'Copied' })
  await backup()
})

const WRONG = /^The signature of \S+ is wrong: the file was changed or cut off/
const SESSION = withTable(
  'sessions',
  ['id_hash', 'user_id', 'expires_at'],
  ['\\\\x0102\t1\t2099-01-01 00:00:00+00'],
)
const isEmpty = async () =>
  expect(
    await restored(async (db) => [
      ...(await db.selectFrom('tasks').select('id').execute()),
      ...(await db.selectFrom('users').select('id').execute()),
      ...(await db.selectFrom('sessions').select('user_id').execute()),
    ]),
  ).toEqual([])

describe('a modified file is refused before anything is written', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['another byte in its middle', (bytes) => flipped(bytes, bytes.length >> 1)],
    ['another byte in its signature', (bytes) => flipped(bytes, bytes.length - 1)],
    [
      'another schema in its header',
      (bytes) => replaced(bytes, /"schema_version":\d+/, '"schema_version":1'),
    ],
    ['no signature', (bytes) => bytes.subarray(0, -32)],
    ['half of it', (bytes) => bytes.subarray(0, bytes.length >> 1)],
    ['its header alone', (bytes) => bytes.subarray(0, bytes.indexOf('\n') + 1)],
    ['a line behind it', (bytes) => Buffer.concat([bytes, line({ rows: {} })])],
    ['a stream behind it', (bytes) => Buffer.concat([bytes, gzipSync('more')])],
  ])('%s', async (_what, edit) => {
    await writeFile(world.file, edit(await readFile(world.file)))
    await expect(restore()).rejects.toThrow(WRONG)
    await isEmpty()
  })

  test('a session in it, signed with another key', async () => {
    await world.sign(SESSION, deriveKeys('a key of who wants to come in').backups)
    await expect(restore()).rejects.toThrow(WRONG)
    await isEmpty()
  })

  test('the key that seals grants does not sign backups', async () => {
    await world.sign(SESSION, BACKUP_KEYS.grants)
    await expect(restore()).rejects.toThrow(WRONG)
  })

  test('a decompression bomb is not unpacked', async () => {
    const bytes = await readFile(world.file)
    const header = bytes.subarray(0, bytes.indexOf('\n') + 1)
    await writeFile(world.file, Buffer.concat([header, await bomb(), Buffer.alloc(32)]))
    await expect(restore()).rejects.toThrow(WRONG)
  })

  test('a file changed during the restore is rolled back', async () => {
    const onTable = (table: string) => {
      if (table === 'users') writeFileSync(world.file, flipped(readFileSync(world.file), -1))
    }
    await expect(restore({ onTable })).rejects.toThrow(WRONG)
    await isEmpty()
  })
})

describe('without a signature, as version 0.1.0 wrote it,', () => {
  test('a session in it is not restored, although the checksum matches', async () => {
    await world.asOfFirstVersion(SESSION)
    await expect(restore()).rejects.toThrow('carries no signature')
    await isEmpty()
    expect(await restore({ allowUnsigned: true })).toMatchObject({ left_out: { sessions: 1 } })
    expect(await restored((db) => db.selectFrom('sessions').select('user_id').execute())).toEqual([])
  })

  test('a wrong checksum fails the restore', async () => {
    await world.asOfFirstVersion()
    const content = gunzipSync(await readFile(world.file))
    await writeFile(world.file, gzipSync(replaced(content, /Copied/, 'Cupied')))
    await expect(restore({ allowUnsigned: true })).rejects.toThrow('is damaged: its checksum is another.')
    await isEmpty()
  })

  test('a decompression bomb fails at its first line', async () => {
    await writeFile(world.file, await bomb())
    await expect(restore({ allowUnsigned: true })).rejects.toThrow('it has a line of more than 65536 bytes.')
  })
})

describe('a signed file that is not a valid backup', () => {
  const inFront = (mark: string, bytes: Buffer) => (content: Buffer) => {
    const at = content.lastIndexOf(mark)
    return Buffer.concat([content.subarray(0, at), bytes, content.subarray(at)])
  }
  const sequences = '{"sequences":'
  test.each<[string, (content: Buffer) => Buffer, string]>([
    [
      'a frame of 4 GB',
      inFront(
        sequences,
        Buffer.concat([line({ table: 'sessions', columns: ['id'] }), Buffer.alloc(4, 0xff)]),
      ),
      'it announces a frame of 4294967295 bytes, and none has more than 1048576',
    ],
    [
      'a line of 100,000 signs',
      inFront(sequences, line('x'.repeat(100_000))),
      'a line of more than 65536 bytes',
    ],
    ['a line that is none', inFront(sequences, Buffer.from('{"table":\n')), 'a line of it is not JSON'],
    ['a line of another kind', inFront(sequences, line({ tables: [] })), 'its lines are others'],
    ['no end', (content) => content.subarray(0, content.lastIndexOf('{"rows":')), 'it ends early'],
    [
      'more behind its end',
      (content) => Buffer.concat([content, line({})]),
      'it goes on behind its last line',
    ],
    ['a table twice', withTable('users', ['email'], ['a@b']), 'holds the table “users” twice.'],
    [
      'a column that does not exist',
      (content) =>
        replaced(content, /"columns":\["id","category"/, '"columns":["ident\\u001b[2J","category"'),
      'holds a column “ident?[2J” of ',
    ],
    [
      'a row that does not fit',
      (content) => replaced(content, /\tCopied\t/, '\tCo\tied\t'),
      'The rows of tasks in ',
    ],
    [
      'rows that are counted otherwise',
      (content) => replaced(content, /"tasks":1/, '"tasks":2'),
      'holds 1 rows of tasks instead of 2.',
    ],
  ])('fails at once and writes nothing: %s', async (_what, edit, message) => {
    await world.sign(edit)
    await expect(restore()).rejects.toThrow(message)
    await expect(restore()).rejects.toThrow(/^[^\n]+\.$/)
    await isEmpty()
  })

  test.each(['sessions', 'schema_migrations', 'pg_authid', 'no"such";drop table users;--'])(
    'rows of %s are not restored',
    async (table) => {
      await world.sign(withTable(table, ['id'], ['1']))
      expect(await restore()).toMatchObject({ left_out: { [table]: 1 } })
      expect(await restored((db) => db.selectFrom('users').select('id').execute())).toHaveLength(1)
    },
  )
})

/** A gigabyte of blanks. */
async function bomb(): Promise<Buffer> {
  const gzip = createGzip()
  const blanks = Buffer.alloc(1_048_576, ' ')
  const packed: Buffer[] = []
  gzip.on('data', (bytes: Buffer) => packed.push(bytes))
  for (let megabyte = 0; megabyte < 1024; megabyte += 1)
    if (!gzip.write(blanks)) await new Promise((resolve) => gzip.once('drain', resolve))
  await new Promise<void>((resolve) => gzip.end(resolve))
  return Buffer.concat(packed)
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const position = at < 0 ? copy.length + at : at
  copy.writeUInt8(copy.readUInt8(position) ^ 1, position)
  return copy
}

function replaced(bytes: Buffer, pattern: RegExp, by: string): Buffer {
  const text = bytes.toString('latin1')
  expect(text).toMatch(pattern)
  return Buffer.from(text.replace(pattern, by), 'latin1')
}
