import { createHash, hkdfSync } from 'node:crypto'
import { unseal } from './seal.ts'

/** The keys that SECRET_KEY stands for, one for each use, so that none can be turned against another. 256 bits each. */
export type Keys = {
  /** Seals refresh tokens in the database. */
  grants: Buffer
  /** Seals the secrets of connections in the database. */
  connections: Buffer
  /** Tells under which SECRET_KEY a grant, or what a connection keeps secret, was sealed; says nothing about the key itself. */
  grantsKeyId: string
  /** Seals what a sign-in under way keeps in the browser. */
  signIn: Buffer
  /** Makes anti-forgery tokens from session ids. */
  forgery: Buffer
  /** Signs backups. */
  backups: Buffer
  /** Those of SECRET_KEY_OLD, which still open what they sealed. */
  old: Keys | null
}

/** Derives all keys; the same secret always gives the same keys. */
export function deriveKeys(secretKey: string, secretKeyOld?: string): Keys {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `rowferry ${use}`, 32))
  const grants = derive('grants')
  const grantsKeyId = createHash('sha256').update(grants).digest('hex').slice(0, 16)
  const old = secretKeyOld === undefined ? null : deriveKeys(secretKeyOld)
  return {
    grants,
    grantsKeyId,
    connections: derive('connections'),
    signIn: derive('sign-in'),
    forgery: derive('anti-forgery'),
    backups: derive('backups'),
    old,
  }
}

/** The text that was sealed for that use, by SECRET_KEY or SECRET_KEY_OLD; undefined when neither opens it. */
export function open(
  keys: Keys,
  use: 'grants' | 'signIn' | 'connections',
  sealed: Buffer,
  context: string,
): string | undefined {
  const text = unseal(keys[use], sealed, context)
  return text === undefined && keys.old ? open(keys.old, use, sealed, context) : text
}
