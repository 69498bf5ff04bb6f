import { lazy, Suspense, useSyncExternalStore } from 'react'
import { loginRequest } from '../../../lib/login-request.ts'

const LoginDialog = lazy(async () => ({ default: (await import('./login-dialog.tsx')).LoginDialog }))

/** Opens the login dialog at every `show-login`. */
export function Login() {
  const wanted = useSyncExternalStore(loginRequest.subscribe, loginRequest.wanted)
  return <Suspense>{wanted && <LoginDialog onClose={loginRequest.dismiss} />}</Suspense>
}
