import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { certificateAuthority } from '../../../test/certificates.ts'
import { testFolder } from '../../../test/folders.ts'
import { mailServer } from '../../../test/mail-server.ts'

const SEND = `
  import { createSendMail } from ${JSON.stringify(new URL('mail.ts', import.meta.url).href)}
  const send = createSendMail({ smtpUrl: process.argv[1], from: 'rowferry@example.com' })
  console.log(JSON.stringify(await send({ to: 'ops@example.com', subject: 'Hello', text: 'World' })))`

test('a mail leaves by an encrypted connection only to a server whose certificate holds; NODE_EXTRA_CA_CERTS names an authority of one’s own', async () => {
  const authority = certificateAuthority()
  const { url, mails } = await mailServer(undefined, authority.issue(['127.0.0.1']))
  const file = join(await testFolder(), 'authority.pem')
  await writeFile(file, authority.cert)
  const send = async (env: Record<string, string>): Promise<unknown> => {
    const args = ['--input-type=module', '--eval', SEND, url]
    return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout)
  }
  expect(await send({})).toEqual({
    ok: false,
    permanent: false,
    reason: expect.stringMatching(/certificate/),
  })
  expect(mails).toEqual([])
  expect(await send({ NODE_EXTRA_CA_CERTS: file })).toEqual({ ok: true })
  expect(mails).toMatchObject([{ to: ['ops@example.com'], subject: 'Hello', text: 'World\n' }])
})
