import { signInErrors } from '../../../../contract/auth/calls.ts'
import { frameMessages } from '../../../../contract/system/client-messages.ts'

/** Message for the code in `?sign_in_error=`. */
export function signInProblem(code: string): string {
  const known = Object.entries(signInErrors).find(([name]) => name === code)
  return known ? known[1] : frameMessages.unexpected
}
