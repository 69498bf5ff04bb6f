import fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The wrong answers of a sign-in provider. */
export type Lie = {
  /** Claims of the id token in place of the honest ones; undefined leaves one out. */
  claims?: Record<string, unknown>
  signedByAnother?: boolean
  /** The token endpoint's whole answer. */
  answer?: { status: number; body: unknown }
}

export type Provider = {
  app: FastifyInstance
  issuer: string
  /** Signs in the next user; `nonce` is the one of the sign-in request. */
  next: (nonce: string, lie?: Lie) => void
}

/**
 * A sign-in provider that can violate each rule of the protocol. It gives no refresh token. The caller closes it.
 */
export async function startProvider(): Promise<Provider> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  let issuer = ''
  let nonce = ''
  let lie: Lie = {}

  const app = fastify()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async () => undefined)
  app.get('/.well-known/openid-configuration', async () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }))
  app.get('/keys', async () => ({ keys: [jwk] }))
  app.post('/token', async (_request, reply) => {
    if (lie.answer) return reply.code(lie.answer.status).send(lie.answer.body)
    const now = Math.floor(Date.now() / 1000)
    const honest = {
      iss: issuer,
      aud: 'rowferry-sandbox',
      sub: '7',
      iat: now,
      exp: now + 3600,
      nonce,
      email: 'Ada@Example.com',
      email_verified: true,
      hd: 'example.com',
    }
    const id_token = await new SignJWT({ ...honest, ...lie.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(lie.signedByAnother ? other.privateKey : own.privateKey)
    return { access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token }
  })
  issuer = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    issuer,
    next: (asked, told = {}) => {
      nonce = asked
      lie = told
    },
  }
}
