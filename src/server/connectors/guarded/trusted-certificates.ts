import { X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

const END = '-----END CERTIFICATE-----'

/**
 * Trusted certificate authorities: those of this process (including NODE_EXTRA_CA_CERTS) and those of the connection,
 * as PEM. Undefined if the connection has none. Throws OriginFailure for text without a certificate.
 */
export function trustedBy({ ca_certificates }: { ca_certificates: string }): string[] | undefined {
  if (ca_certificates === '') return undefined
  const own = ca_certificates.split(END).slice(0, -1)
  try {
    if (own.length === 0) throw new Error('no certificate')
    return [...getCACertificates('default'), ...own.map((text) => new X509Certificate(text + END).toString())]
  } catch (cause) {
    throw new OriginFailure('invalid', originMessages.certificates_invalid, { cause })
  }
}
