import { createHash, hkdfSync } from 'node:crypto'

/** The keys that SECRET_KEY stands for, one for each use, so that none can be turned against another. 256 bits each. */
export type Keys = {
  /** Seals refresh tokens in the database. */
  grants: Buffer
  /** Tells under which SECRET_KEY a grant was sealed; says nothing about the key itself. */
  grantsKeyId: string
  /** Seals what a sign-in under way keeps in the browser. */
  signIn: Buffer
  /** Makes anti-forgery tokens from session ids. */
  forgery: Buffer
}

/** Derives all keys; the same secret always gives the same keys. */
export function deriveKeys(secretKey: string): Keys {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `rowferry ${use}`, 32))
  const grants = derive('grants')
  const grantsKeyId = createHash('sha256').update(grants).digest('hex').slice(0, 16)
  return { grants, grantsKeyId, signIn: derive('sign-in'), forgery: derive('anti-forgery') }
}
