import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate with its key, as PEM. */
export type Certificate = { cert: string; key: string }

/** A certificate authority of a test's own: `cert` is what whoever trusts it has to know. */
export type Authority = { cert: string; issue: (names: string[]) => Certificate }

const DAY_MS = 86_400_000
const OIDS = {
  ecdsa_sha256: '2a8648ce3d040302',
  common_name: '550403',
  basic_constraints: '551d13',
  alternative_names: '551d11',
}

/** Makes an authority, which vouches for servers by their names or IPv4 addresses. */
export function certificateAuthority(name = 'Authority of a test'): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extension = [extensionOf('basic_constraints', sequence(der(0x01, Buffer.of(0xff))))]
  return {
    cert: certificate({
      subject: name,
      issuer: name,
      publicKey: own.publicKey,
      signer: own.privateKey,
      extension,
    }),
    issue(names) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const [subject = ''] = names
      const extension = [extensionOf('alternative_names', sequence(...names.map(alternativeName)))]
      return {
        cert: certificate({ subject, issuer: name, publicKey, signer: own.privateKey, extension }),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

type Told = { subject: string; issuer: string; publicKey: KeyObject; signer: KeyObject; extension: Buffer[] }

/** An X.509 certificate, valid from yesterday until tomorrow. */
function certificate({ subject, issuer, publicKey, signer, extension }: Told): string {
  const algorithm = sequence(oid('ecdsa_sha256'))
  const content = sequence(
    // Version 3.
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(Date.now() - DAY_MS), timeOf(Date.now() + DAY_MS)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extension)),
  )
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', content, signer)])
  const lines =
    sequence(content, algorithm, der(0x03, signature))
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

const alternativeName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))

const extensionOf = (name: keyof typeof OIDS, value: Buffer) => sequence(oid(name), der(0x04, value))

const nameOf = (text: string) =>
  sequence(der(0x31, sequence(oid('common_name'), der(0x0c, Buffer.from(text)))))

const timeOf = (ms: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(ms)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  )

const oid = (name: keyof typeof OIDS) => der(0x06, Buffer.from(OIDS[name], 'hex'))

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)

/** One value as DER writes it: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.of(tag, length), content])
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 255), content])
}
