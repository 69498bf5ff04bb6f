import { signInErrors } from '../../../../contract/auth/calls.ts'
import { frameMessages } from '../../../../contract/system/client-messages.ts'

/** The sentence for what `?sign_in_error=` says. */
export function signInProblem(code: string): string {
  const known = Object.entries(signInErrors).find(([name]) => name === code)
  return known ? known[1] : frameMessages.unexpected
}
