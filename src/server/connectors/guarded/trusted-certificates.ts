import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

const END = '-----END CERTIFICATE-----'

/**
 * Who may vouch for a server: those that this process trusts (NODE_EXTRA_CA_CERTS adds to them), and the ones of a connection, as PEM.
 * Undefined: nobody beside those. Throws OriginFailure for what holds no certificate.
 */
export function trustedBy({ ca_certificates }: { ca_certificates: string }): string[] | undefined {
  if (ca_certificates === '') return undefined
  const own = ca_certificates.split(END).slice(0, -1)
  try {
    if (own.length === 0) throw new Error('no certificate')
    return [...getCACertificates('default'), ...own.map((text) => new X509Certificate(text + END).toString())]
  } catch (cause) {
    throw new OriginFailure('invalid', messages.certificates_invalid, { cause })
  }
}
