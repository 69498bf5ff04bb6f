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
 * Accounts and what they have granted to which client. One grant per account and client, as at Google:
 * consenting again widens it, revoking any of its tokens ends it.
 */
export class Identity {
  /** An app whose publishing status is "testing" loses its refresh tokens after seven days. */
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

  /** Accounts and grants kept in `dir`; null keeps them in memory only. */
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

  keepSigningKey(pem: string): void {
    this.#signingKey = pem
    this.#save()
  }

  accounts(): Account[] {
    return [...this.#accounts.values()]
  }

  findAccount(email: string): Account | undefined {
    return this.#accounts.get(email)
  }

  /** The account of an address, made now if there is none. */
  account(email: string, known: { name?: string; hd?: string | null } = {}): Account {
    const existing = this.#accounts.get(email)
    if (existing !== undefined && known.name === undefined && known.hd === undefined) return existing
    const account = { ...makeAccount(email, known), epoch: existing?.epoch ?? 0 }
    this.#accounts.set(email, account)
    this.#save()
    return account
  }

  /** Accounts of people, who can sign in. */
  people(): Account[] {
    return this.accounts().filter(({ email }) => !this.isServiceAccount(email))
  }

  isServiceAccount(email: string): boolean {
    return this.#serviceKeys.some((key) => key.email === email)
  }

  /** The PEM of a service account's public key; by the only id there is to choose, when none is given. */
  findServiceKey(email: string, id: string | undefined): string | undefined {
    const keys = this.#serviceKeys.filter((key) => key.email === email)
    return keys.find((key) => key.id === id || id === undefined)?.public_key
  }

  keepServiceKey(key: ServiceKey): void {
    this.#serviceKeys.push(key)
    this.account(key.email, { hd: null })
  }

  findGrant(email: string, clientId: string): Grant | undefined {
    return [...this.#grants.values()].find((grant) => grant.email === email && grant.client_id === clientId)
  }

  grant(id: string): Grant | undefined {
    return this.#grants.get(id)
  }

  /** The grant of an account to a client, widened by `scopes`. */
  consent(email: string, clientId: string, scopes: string[]): Grant {
    const existing = this.findGrant(email, clientId)
    // Who has consented before signs in on a full disk, too.
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

  /** A new refresh token of the grant; the oldest beyond a hundred stops working, as at Google. */
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

  /** The grant that a refresh token stands for; undefined when it was revoked, has expired or was never issued. */
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

  /** What a person does under "Third-party access": every token of the account stops working. */
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
