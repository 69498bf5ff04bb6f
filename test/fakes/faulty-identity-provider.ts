import fastify, { type FastifyInstance } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Incorrect replies of an identity provider. */
export type WrongReply = {
  /** Claims that replace the correct ones in the id token; undefined omits a claim. */
  claims?: Record<string, unknown>
  signedByAnother?: boolean
  /** Complete reply of the token endpoint. */
  answer?: { status: number; body: unknown }
}

export type Provider = {
  app: FastifyInstance
  issuer: string
  /** Prepares the next sign-in; `nonce` is the value from its authorization request. */
  next: (nonce: string, wrong?: WrongReply) => void
}

/**
 * An identity provider that can violate each rule of the protocol. It issues no refresh tokens. The caller must close it.
 */
export async function startProvider(): Promise<Provider> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }
  let issuer = ''
  let nonce = ''
  let wrong: WrongReply = {}

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
    if (wrong.answer) return reply.code(wrong.answer.status).send(wrong.answer.body)
    const now = Math.floor(Date.now() / 1000)
    const correct = {
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
    const id_token = await new SignJWT({ ...correct, ...wrong.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .sign(wrong.signedByAnother ? other.privateKey : own.privateKey)
    return { access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token }
  })
  issuer = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    issuer,
    next: (asked, reply = {}) => {
      nonce = asked
      wrong = reply
    },
  }
}
