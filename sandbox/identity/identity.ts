import { createHash, randomBytes } from 'node:crypto'
import { type Account, makeAccount } from './accounts.ts'
import {
  type Grant,
  type IdentityState,
  readIdentity,
  type ServiceKey,
  writeIdentity,
} from './identity-file.ts'

const refreshTokensPerGrant = 100
const testingModeLifetime = 7 * 24 * 3600 * 1000

const hash = (token: string) => createHash('sha256').update(token).digest('base64url')
const unguessable = (bytes: number) => randomBytes(bytes).toString('base64url')

/**
 * Accounts and their grants to clients. Like Google, there is one grant per account and client: consent extends it, and revoking
 * one of its tokens revokes it.
 */
export class Identity {
  /** As for apps with the publishing status "testing", refresh tokens expire after seven days. */
  testingMode = false
  readonly #dir: string | null
  readonly #secret: string
  #signingKey: string | null
  readonly #accounts: Map<string, Account>
  readonly #grants: Map<string, Grant>
  readonly #serviceKeys: ServiceKey[]

  private constructor(dir: string | null, state: IdentityState) {
    this.#dir = dir
    this.#secret = state.secret
    this.#signingKey = state.signing_key
    this.#accounts = new Map(state.accounts.map((account) => [account.email, account]))
    this.#grants = new Map(state.grants.map((grant) => [grant.id, grant]))
    this.#serviceKeys = state.service_keys
  }

  /** Opens accounts and grants in `dir`; null keeps them in memory. */
  static open(dir: string | null): Identity {
    const kept = dir === null ? undefined : readIdentity(dir)
    const fresh = { secret: unguessable(32), signing_key: null, accounts: [], grants: [], service_keys: [] }
    return new Identity(dir, kept ?? fresh)
  }

  get secret(): Uint8Array {
    return Buffer.from(this.#secret, 'base64url')
  }

  get signingKey(): string | null {
    return this.#signingKey
  }

  setSigningKey(pem: string): void {
    this.#signingKey = pem
    this.#save()
  }

  accounts(): Account[] {
    return [...this.#accounts.values()]
  }

  findAccount(email: string): Account | undefined {
    return this.#accounts.get(email)
  }

  /** Returns the account of an address; creates it if it is missing. */
  account(email: string, known: { name?: string; hd?: string | null } = {}): Account {
    const existing = this.#accounts.get(email)
    if (existing !== undefined && known.name === undefined && known.hd === undefined) return existing
    const account = { ...makeAccount(email, known), epoch: existing?.epoch ?? 0 }
    this.#accounts.set(email, account)
    this.#save()
    return account
  }

  /** Accounts that can sign in, without service accounts. */
  people(): Account[] {
    return this.accounts().filter(({ email }) => !this.isServiceAccount(email))
  }

  isServiceAccount(email: string): boolean {
    return this.#serviceKeys.some((key) => key.email === email)
  }

  /** PEM of a service account's public key. Without an id, returns the only key. */
  findServiceKey(email: string, id: string | undefined): string | undefined {
    const keys = this.#serviceKeys.filter((key) => key.email === email)
    return keys.find((key) => key.id === id || id === undefined)?.public_key
  }

  addServiceKey(key: ServiceKey): void {
    this.#serviceKeys.push(key)
    this.account(key.email, { hd: null })
  }

  findGrant(email: string, clientId: string): Grant | undefined {
    return [...this.#grants.values()].find((grant) => grant.email === email && grant.client_id === clientId)
  }

  grant(id: string): Grant | undefined {
    return this.#grants.get(id)
  }

  /** Adds scopes to the grant of an account to a client. */
  consent(email: string, clientId: string, scopes: string[]): Grant {
    const existing = this.findGrant(email, clientId)
    // Without new scopes nothing is written, so sign-in works when the disk is full.
    if (existing && scopes.every((scope) => existing.scopes.includes(scope))) return existing
    const grant: Grant = existing ?? {
      id: unguessable(12),
      email,
      client_id: clientId,
      scopes: [],
      refresh_tokens: [],
    }
    grant.scopes = [...new Set([...grant.scopes, ...scopes])]
    this.#grants.set(grant.id, grant)
    this.#save()
    return grant
  }

  /** Issues a refresh token. Like Google, invalidates the oldest one beyond 100 tokens. */
  issueRefreshToken(grant: Grant, now: Date): { token: string; expiresInSeconds: number | null } {
    const token = `1//0${unguessable(48)}`
    const issued_at = now.getTime()
    const expires_at = this.testingMode ? issued_at + testingModeLifetime : null
    grant.refresh_tokens = [...grant.refresh_tokens, { hash: hash(token), issued_at, expires_at }].slice(
      -refreshTokensPerGrant,
    )
    this.#save()
    return { token, expiresInSeconds: expires_at === null ? null : testingModeLifetime / 1000 }
  }

  /** Finds the grant of a refresh token; undefined if it is revoked, expired or unknown. */
  findByRefreshToken(token: string, now: Date): Grant | undefined {
    const wanted = hash(token)
    for (const grant of this.#grants.values()) {
      const found = grant.refresh_tokens.find((candidate) => candidate.hash === wanted)
      if (found !== undefined) {
        return found.expires_at === null || now.getTime() < found.expires_at ? grant : undefined
      }
    }
    return undefined
  }

  revokeGrant(id: string): void {
    this.#grants.delete(id)
    this.#save()
  }

  /** Revokes all tokens of the account, as the user can do under "Third-party access". */
  revokeAccount(email: string): void {
    for (const grant of this.#grants.values()) if (grant.email === email) this.#grants.delete(grant.id)
    const account = this.#accounts.get(email)
    if (account !== undefined) account.epoch += 1
    this.#save()
  }

  #save(): void {
    if (this.#dir === null) return
    writeIdentity(this.#dir, {
      secret: this.#secret,
      signing_key: this.#signingKey,
      accounts: this.accounts(),
      grants: [...this.#grants.values()],
      service_keys: this.#serviceKeys,
    })
  }
}
