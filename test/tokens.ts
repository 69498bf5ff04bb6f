import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Right } from '../src/contract/calls.ts'
import { tokens } from '../src/contract/tokens.ts'
import type { SignedIn } from './app.ts'

/** Makes a token for a person as their browser does. */
export async function aToken(person: SignedIn, right: Right, name: string = right): Promise<string> {
  const reply = await person.request('POST', '/api/tokens', { name, right, expires_in_days: 30 })
  return tokens.create.reply.parse(reply.json()).token
}

/** Sends requests as a program does that has the token. */
export const withToken =
  (app: FastifyInstance, token: string) =>
  (method: NonNullable<InjectOptions['method']>, url: string, payload?: object) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload === undefined ? {} : { payload }),
    })
