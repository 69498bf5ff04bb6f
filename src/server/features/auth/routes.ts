import { auth } from '../../../contract/auth/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { type AuthDeps, beginSignIn, finishSignIn, signOut } from './commands.ts'
import { checkSignIn } from './queries.ts'

/** Sign-in, sign-out and session state. */
export const authFeature: Feature<typeof auth, AuthDeps & { version: string }> = {
  calls: auth,
  handlers: { login: beginSignIn, callback: finishSignIn, check: checkSignIn, logout: signOut },
}
