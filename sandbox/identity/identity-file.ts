import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Account } from './accounts.ts'

export const Grant = z.object({
  id: z.string(),
  email: z.string(),
  client_id: z.string(),
  scopes: z.array(z.string()),
  refresh_tokens: z.array(
    z.object({ hash: z.string(), issued_at: z.number(), expires_at: z.number().nullable() }),
  ),
})
export type Grant = z.infer<typeof Grant>

/** Public key of a service account. */
export const ServiceKey = z.object({ email: z.string(), id: z.string(), public_key: z.string() })
export type ServiceKey = z.infer<typeof ServiceKey>

const IdentityState = z.object({
  /** HMAC key for access tokens, base64url. */
  secret: z.string(),
  /** PKCS#8 PEM of the key that signs id tokens; null until it is first needed. */
  signing_key: z.string().nullable(),
  accounts: z.array(Account),
  grants: z.array(Grant),
  // Missing in files of earlier versions.
  service_keys: z.array(ServiceKey).default([]),
})
export type IdentityState = z.infer<typeof IdentityState>

/** Reads the state in `dir`; undefined if there is none. Throws if the file is invalid. */
export function readIdentity(dir: string): IdentityState | undefined {
  try {
    return IdentityState.parse(JSON.parse(readFileSync(join(dir, 'identity.json'), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new Error(`${join(dir, 'identity.json')} cannot be read; delete it to start with fresh accounts`, {
      cause: error,
    })
  }
}

/** Replaces the file atomically. The file is written when this returns, so that issued tokens survive a kill -9. */
export function writeIdentity(dir: string, state: IdentityState): void {
  mkdirSync(dir, { recursive: true })
  const draft = join(dir, 'identity.json.new')
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(state))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, join(dir, 'identity.json'))
}
