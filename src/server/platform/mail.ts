import { createTransport } from 'nodemailer'
import { withEncryption } from './smtp-address.ts'

/** `permanent`: this recipient will not take the mail at any other time either. The reason is for the log. */
export type Sent = { ok: true } | { ok: false; permanent: boolean; reason: string }

export type Mail = { to: string; subject: string; text: string }

/** Sends one mail to one recipient, and answers what became of it. */
export type SendMail = (mail: Mail) => Promise<Sent>

const CONNECT_MS = 10_000
const SILENCE_MS = 30_000

/**
 * Sends by the server of an smtp or smtps address, whose query may hold further options such as requireTLS=true. A password leaves
 * this machine encrypted alone.
 */
export function createSendMail({ smtpUrl, from }: { smtpUrl: string; from: string }): SendMail {
  const limits = { connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS }
  const transport = createTransport({ url: withEncryption(smtpUrl), ...limits }, { from })
  return async ({ to, subject, text }) => {
    try {
      await transport.sendMail({ to: { name: '', address: to }, subject: oneLine(subject), text })
      return { ok: true }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const status =
        'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : 0
      const command = 'command' in error ? error.command : undefined
      // What the server says of this mail; that it does not let us in at all may be mended.
      const permanent = status >= 500 && (command === 'RCPT TO' || command === 'DATA')
      return {
        ok: false,
        permanent,
        reason: 'code' in error && error.code === 'ETLS' ? unencrypted(error) : error.message,
      }
    }
  }
}

const unencrypted = ({ message }: Error) =>
  `The mail server does not encrypt (STARTTLS), which a password or requireTLS in SMTP_URL demands: ${message}`

// A header ends at a line end.
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
