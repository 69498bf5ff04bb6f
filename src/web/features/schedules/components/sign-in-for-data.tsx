import { Button } from '@mantine/core'
import { authMessages } from '../../../../contract/auth/client-messages.ts'
import { CallError } from '../../../lib/call.ts'
import { requestLogin } from '../../../lib/login-request.ts'
import { EmptyState } from '../../../ui/states.tsx'

/** Whether a call was refused for lack of a session. */
export const isRefused = (error: unknown) => error instanceof CallError && error.status === 401

/** The page is public, its data needs a session. */
export const SignInForData = () => (
  <EmptyState title={authMessages.login_required}>
    <Button onClick={() => requestLogin()}>Sign in</Button>
  </EmptyState>
)
