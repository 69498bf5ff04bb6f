import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Certificate } from '../fixtures/certificates.ts'

export type ReceivedMail = {
  from: string
  to: string[]
  encrypted: boolean
  headers: string
  subject: string
  text: string
}

/**
 * An SMTP server on loopback that records mails and passwords and also accepts unencrypted logins. `refuse` returns the error
 * reply to a recipient. With `certificate`, connections use TLS from the start or, with `startTls`, when the client requests it.
 */
export async function mailServer(
  refuse: (recipient: string) => { code: number; text: string } | null = () => null,
  certificate?: Certificate,
  { startTls = false } = {},
) {
  const mails: ReceivedMail[] = []
  const passwords: { password: string | null | undefined; encrypted: boolean }[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, session, done) {
      passwords.push({ password, encrypted: session.secure })
      done(null, { user: username })
    },
    ...(certificate && { secure: !startTls, ...certificate }),
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onRcptTo(address, _session, done) {
      const refusal = refuse(address.address)
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        mails.push({ from, to, encrypted: session.secure, ...parsed(Buffer.concat(pieces).toString('utf8')) })
        done()
      })
    },
  })
  // Errors of clients that do not trust the certificate.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = z.object({ port: z.int() }).parse(server.server.address())
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  onTestFinished(close)
  return {
    url: `${certificate && !startTls ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    mails,
    passwords,
    close,
  }
}

function parsed(message: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text'> {
  const end = message.indexOf('\r\n\r\n')
  const headers = message.slice(0, end).replace(/\r\n[ \t]/g, ' ')
  const body = message.slice(end + 4).replaceAll('\r\n', '\n')
  const encoding = /^content-transfer-encoding: (.*)$/im.exec(headers)?.[1] ?? ''
  const subject = /^subject: (.*)$/im.exec(headers)?.[1] ?? ''
  return { headers, subject: words(subject), text: decode(body, encoding.trim()) }
}

const decode = (text: string, encoding: string) => {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes the encoded words of a header (RFC 2047). */
const words = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? decode(word, 'base64')
        : decode(word.replaceAll('_', ' '), 'quoted-printable'),
    )
