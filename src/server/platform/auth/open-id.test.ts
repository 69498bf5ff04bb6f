import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Provider,
  startProvider,
  type WrongReply,
} from '../../../../test/fakes/faulty-identity-provider.ts'
import { createOpenId, type OpenId, SignInFailure } from './open-id.ts'

let provider: Provider
let openId: OpenId

const openIdAt = (issuer: string) =>
  createOpenId({
    publicUrl: 'http://localhost:3000',
    google: {
      clientId: 'rowferry-sandbox',
      clientSecret: 'secret',
      serviceAccount: undefined,
      apiRoot: undefined,
      issuer,
    },
  })

beforeAll(async () => {
  provider = await startProvider()
  openId = openIdAt(provider.issuer)
})
afterAll(() => provider.app.close())

async function signIn(lie?: WrongReply) {
  const { secrets } = await openId.begin({ consent: false })
  provider.next(secrets.nonce, lie)
  return openId.finish(`code=c&state=${secrets.state}`, secrets)
}
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'signed in',
    (error: unknown) => (error instanceof SignInFailure ? error.reason : error),
  )

test('a valid id token gives the address in lower case', async () => {
  expect(await signIn()).toMatchObject({
    issuer: provider.issuer,
    subject: '7',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada@Example.com',
    hosted_domain: 'example.com',
    refresh_token: undefined,
  })
})

test('an unverified address is reported as unverified', async () => {
  expect(await signIn({ claims: { email_verified: false } })).toMatchObject({ email_verified: false })
  expect(await signIn({ claims: { email_verified: undefined } })).toMatchObject({ email_verified: false })
})

describe('sign-in is refused for an id token', () => {
  const lies: [what: string, lie: WrongReply][] = [
    ['signed by another key', { signedByAnother: true }],
    ['of another sign-in', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['for another application', { claims: { aud: 'another' } }],
    ['of another issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['that is over', { claims: { exp: 1 } }],
    ['without an address', { claims: { email: undefined } }],
  ]
  test.each(lies)('%s', async (_what, lie) => {
    expect(await reasonOf(signIn(lie))).toBe('unavailable')
  })
})

describe('an unavailable provider is distinguished from a used code', () => {
  const answers: [what: string, status: number, body: unknown, reason: string][] = [
    ['an internal error', 500, { error: 'server_error' }, 'unavailable'],
    ['a page instead of JSON', 200, '<html>', 'unavailable'],
    ['no id token', 200, { access_token: 'a', token_type: 'Bearer' }, 'unavailable'],
    ['a code that is used up', 400, { error: 'invalid_grant' }, 'expired'],
  ]
  test.each(answers)('%s', async (_what, status, body, reason) => {
    expect(await reasonOf(signIn({ answer: { status, body } }))).toBe(reason)
  })
})

test('an issuer with plain http over the network is never requested', async () => {
  const error = await openIdAt('http://issuer.invalid')
    .begin({ consent: false })
    .catch((cause: unknown) => cause)
  expect(error).toMatchObject({ reason: 'unavailable', cause: { code: 'OAUTH_HTTP_REQUEST_FORBIDDEN' } })
})
