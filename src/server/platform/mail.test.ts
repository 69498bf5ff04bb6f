import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mailServer } from '../../../test/fakes/mail-server.ts'
import { certificateAuthority } from '../../../test/fixtures/certificates.ts'
import { testFolder } from '../../../test/fixtures/folders.ts'

const SEND = `
  import { createSendMail } from ${JSON.stringify(new URL('mail.ts', import.meta.url).href)}
  const send = createSendMail({ smtpUrl: process.argv[1], from: 'rowferry@example.com' })
  console.log(JSON.stringify(await send({ to: 'ops@example.com', subject: 'Hello', text: 'World' })))`

const authority = certificateAuthority()

/** Sends a mail as a program that trusts the usual authorities only, or ours as well. */
async function send(url: string, { trusting }: { trusting: boolean }): Promise<unknown> {
  const file = join(await testFolder(), 'authority.pem')
  await writeFile(file, authority.cert)
  const args = ['--input-type=module', '--eval', SEND, url]
  const env = trusting ? { NODE_EXTRA_CA_CERTS: file } : {}
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout)
}

const MAIL = { to: ['ops@example.com'], subject: 'Hello', text: 'World\n' }
const refused = (reason: RegExp) => ({
  ok: false,
  permanent: false,
  reason: expect.stringMatching(reason),
})

describe.each([
  ['from the first byte', { startTls: false }],
  ['once the server has offered it (STARTTLS)', { startTls: true }],
])('a mail is sent encrypted %s', (_, how) => {
  test('only to a server with a valid certificate; NODE_EXTRA_CA_CERTS adds an authority', async () => {
    const { url, mails } = await mailServer(undefined, authority.issue(['127.0.0.1']), how)
    expect(await send(url, { trusting: false })).toEqual(refused(/certificate/))
    expect(mails).toEqual([])
    expect(await send(url, { trusting: true })).toEqual({ ok: true })
    expect(mails).toMatchObject([{ ...MAIL, encrypted: true }])
  })

  test("not to a server with another host's certificate", async () => {
    const { url, mails } = await mailServer(undefined, authority.issue(['mail.example.com']), how)
    expect(await send(url, { trusting: true })).toEqual(refused(/127\.0\.0\.1/))
    expect(mails).toEqual([])
  })
})

test('requireTLS=true refuses a server without TLS, which is accepted otherwise', async () => {
  const { url, mails } = await mailServer()
  expect(await send(`${url}/?requireTLS=true`, { trusting: true })).toEqual(refused(/STARTTLS|TLS/))
  expect(mails).toEqual([])
  expect(await send(url, { trusting: true })).toEqual({ ok: true })
  expect(mails).toMatchObject([{ ...MAIL, encrypted: false }])
})

describe('a password in the address', () => {
  // Another host name that resolves to this machine without being a loopback name.
  const elsewhere = (port: number) => `smtp://rowferry:pass-word@0.0.0.0:${port}`

  test('is never sent to a server without encryption', async () => {
    const { port, mails, passwords } = await mailServer()
    for (const parameters of ['', '?ignoreTLS=true', '?requireTLS=false', '?opportunisticTLS=true'])
      expect(await send(`${elsewhere(port)}${parameters}`, { trusting: true })).toEqual(
        refused(
          /^The mail server does not encrypt \(STARTTLS\), which a password or requireTLS in SMTP_URL demands: /,
        ),
      )
    expect({ mails, passwords }).toEqual({ mails: [], passwords: [] })
  })

  test('is sent once the connection is encrypted', async () => {
    const { port, mails, passwords } = await mailServer(undefined, authority.issue(['0.0.0.0']), {
      startTls: true,
    })
    expect(await send(elsewhere(port), { trusting: false })).toEqual(refused(/certificate/))
    expect(passwords).toEqual([])
    expect(await send(elsewhere(port), { trusting: true })).toEqual({ ok: true })
    expect(passwords).toEqual([{ password: 'pass-word', encrypted: true }])
    expect(mails).toMatchObject([{ ...MAIL, encrypted: true }])
  })

  test.each(['127.0.0.1', 'localhost'])('is sent to %s unencrypted', async (host) => {
    const { port, passwords } = await mailServer()
    expect(await send(`smtp://rowferry:pass-word@${host}:${port}`, { trusting: true })).toEqual({ ok: true })
    expect(passwords).toEqual([{ password: 'pass-word', encrypted: false }])
  })
})
