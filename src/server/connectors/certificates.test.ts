import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer, type Server } from 'node:net'
import { TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Certificate, certificateAuthority } from '../../../test/fixtures/certificates.ts'
import { testDatabase } from '../../../test/fixtures/database.ts'
import {
  databaseSettings,
  databaseUse,
  readAll as readDatabase,
  settingsOf,
} from '../../../test/fixtures/database-origins.ts'
import { anySourceContext, readAll } from '../../../test/fixtures/read-source.ts'
import { hasMariaDb, type MariaDb, startMariaDb } from '../../../test/processes/mariadb.ts'
import { ApiSettings } from '../../contract/connections/calls.ts'
import { openApi } from './http-api/source.ts'

const authority = certificateAuthority()
const stranger = certificateAuthority('Another authority')
const ours = authority.cert

const Address = z.object({ port: z.int() })
const invalid = (message: RegExp) =>
  expect.objectContaining({ name: 'OriginFailure', kind: 'invalid', message: expect.stringMatching(message) })

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return Address.parse(server.address()).port
}

/** What certificates a server may have, and what comes of each where `ca_certificates` are trusted. */
const CASES: [string, string, Certificate, RegExp | null][] = [
  ['an authority that is trusted', ours, authority.issue(['127.0.0.1', 'localhost']), null],
  [
    'one of several that are trusted',
    `${stranger.cert}\n${ours}`,
    authority.issue(['127.0.0.1', 'localhost']),
    null,
  ],
  ['an untrusted authority', '', authority.issue(['127.0.0.1', 'localhost']), /certificate/],
  [
    'another authority than the trusted one',
    stranger.cert,
    authority.issue(['127.0.0.1', 'localhost']),
    /certificate/,
  ],
  [
    'a trusted authority, for another server',
    ours,
    authority.issue(['elsewhere.example']),
    /does not match|altnames/,
  ],
]

describe('an API whose certificate is of', () => {
  const read = async (certificate: Certificate, ca_certificates: string) => {
    const server = createHttpsServer({ ...certificate }, (_request, response) => response.end('[{"a":1}]'))
    const url = `https://127.0.0.1:${await portOf(server)}/`
    const settings = ApiSettings.parse({ url, ca_certificates })
    return readAll((await openApi({ name: 'api', settings }, anySourceContext())).read())
  }

  test.each(CASES)('%s', async (_name, trusted, certificate, refusal) => {
    const reading = read(certificate, trusted)
    if (refusal) await expect(reading).rejects.toEqual(invalid(refusal))
    else expect(await reading).toEqual([['a'], [1]])
  })

  test('no one: an invalid certificate is refused before anything is sent', async () => {
    await expect(read(authority.issue(['127.0.0.1']), 'not a certificate')).rejects.toEqual(
      invalid(/no certificates in PEM form/),
    )
  })
})

describe('a PostgreSQL server whose certificate is of', () => {
  test.each(CASES)('%s', async (_name, ca_certificates, certificate, refusal) => {
    const [own, database] = [await testDatabase(), await testDatabase()]
    const server = createServer((socket) => {
      // It asks whether it may encrypt; S says that it may.
      socket.once('data', () => {
        socket.write('S')
        const { hostname, port } = new URL(database.url)
        const plain = connect(Number(port), hostname)
        const secure = new TLSSocket(socket, { isServer: true, ...certificate })
        for (const end of [secure, plain, socket])
          end.on('error', () => [secure, plain].map((one) => one.destroy()))
        secure.pipe(plain).pipe(secure)
      })
    })
    const port = await portOf(server)
    const settings = {
      ...settingsOf(database.url, 'select 1 as a'),
      port,
      tls: 'verify' as const,
      ca_certificates,
    }
    const reading = readDatabase(settings, databaseUse({ own_database: own.url }))
    if (refusal) await expect(reading).rejects.toEqual(invalid(refusal))
    else expect((await reading).rows).toEqual([['a'], [1]])
  })
})

describe.runIf(hasMariaDb)('a MariaDB whose certificate is of', () => {
  let maria: MariaDb
  beforeAll(async () => {
    maria = await startMariaDb(authority.issue(['localhost']))
    return () => maria.stop()
  })

  test.each([
    ['an authority that is trusted', ours, null],
    ['an untrusted authority', '', /certificate/],
    ['another authority than the trusted one', stranger.cert, /certificate/],
  ])('%s', async (_name, ca_certificates, refusal) => {
    const settings = databaseSettings({
      engine: 'mysql',
      host: 'localhost',
      port: maria.port,
      database: 'shop',
      user: 'reader',
      password: 'secret',
      tls: 'verify',
      statement: 'select 1 as a',
      ca_certificates,
    })
    const reading = readDatabase(settings, databaseUse({ own_database: '' }))
    if (refusal) await expect(reading).rejects.toEqual(invalid(refusal))
    else expect((await reading).rows).toEqual([['a'], [1]])
  })
})
