import { BlockList, isIP } from 'node:net'

// Parameters of an SMTP URL with values that would send mails and the password unencrypted or without checking the
// certificate.
const WEAKENING: [name: string, harmless: RegExp][] = [
  ['ignoreTLS', /^(false|0)$/],
  ['opportunisticTLS', /^(false|0)$/],
  ['secured', /^(false|0)$/],
  ['requireTLS', /^(true|1)$/],
  ['tls.rejectUnauthorized', /^(true|1)$/],
]

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a password would leave this machine, which requires encryption. */
function needsEncryption(smtpUrl: string): boolean {
  const { password, hostname } = new URL(smtpUrl)
  return password !== '' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
}

/** The part of an SMTP URL that would expose its password; undefined if it is safe, or not an SMTP URL. */
export function weakeningParameter(smtpUrl: string): string | undefined {
  if (!URL.canParse(smtpUrl) || !needsEncryption(smtpUrl)) return undefined
  const { searchParams } = new URL(smtpUrl)
  return WEAKENING.find(([name, harmless]) =>
    searchParams.getAll(name).some((value) => !harmless.test(value)),
  )?.[0]
}

/** The SMTP URL to use, with STARTTLS required if a password needs it. */
export function withEncryption(smtpUrl: string): string {
  if (!needsEncryption(smtpUrl)) return smtpUrl
  const url = new URL(smtpUrl)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

function isLoopback(host: string): boolean {
  const version = isIP(host)
  if (version === 0) return /^localhost\.?$/i.test(host)
  return LOOPBACK.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
