import { createHash, hkdfSync } from 'node:crypto'
import { unseal } from './seal.ts'

/** The keys derived from SECRET_KEY, a separate one for each purpose, 256 bits each. */
export type Keys = {
  /** Seals refresh tokens in the database. */
  grants: Buffer
  /** Seals the secrets of connections in the database. */
  connections: Buffer
  /** Identifies the SECRET_KEY that sealed a secret without revealing it. */
  grantsKeyId: string
  /** Seals the state of a sign-in in the browser's cookie. */
  signIn: Buffer
  /** Derives anti-forgery tokens from session ids. */
  forgery: Buffer
  /** Signs backups. */
  backups: Buffer
  /** The keys of SECRET_KEY_OLD, which only open. */
  old: Keys | null
}

/** Derives all keys; deterministic. */
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

/** Opens a sealed text with SECRET_KEY or SECRET_KEY_OLD; undefined if neither fits. */
export function open(
  keys: Keys,
  use: 'grants' | 'signIn' | 'connections',
  sealed: Buffer,
  context: string,
): string | undefined {
  const text = unseal(keys[use], sealed, context)
  return text === undefined && keys.old ? open(keys.old, use, sealed, context) : text
}
