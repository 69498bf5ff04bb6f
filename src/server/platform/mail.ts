import { createTransport } from 'nodemailer'
import { withEncryption } from './smtp-address.ts'

/** `permanent`: retrying makes no sense for this recipient. The reason is for the log. */
export type Sent = { ok: true } | { ok: false; permanent: boolean; reason: string }

export type Mail = { to: string; subject: string; text: string }

/** Sends one mail to one recipient, and returns the result. */
export type SendMail = (mail: Mail) => Promise<Sent>

const CONNECT_MS = 10_000
const SOCKET_TIMEOUT_MS = 30_000

/**
 * Sends through the server of an smtp or smtps address, whose query may contain options such as requireTLS=true.
 * Passwords are only sent encrypted, except to this machine.
 */
export function createSendMail({ smtpUrl, from }: { smtpUrl: string; from: string }): SendMail {
  const limits = {
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  }
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
      // Rejections of the mail are permanent; a failed login can be corrected.
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

// A line end would start another header.
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
