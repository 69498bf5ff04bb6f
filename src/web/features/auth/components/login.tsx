import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { loginRequest } from '../../../lib/login-request.ts'
import { forceCheck } from '../../../lib/session.ts'

const LoginDialog = lazy(async () => ({ default: (await import('./login-dialog.tsx')).LoginDialog }))

/** Opens the sign-in dialog on each `show-login` event. */
export function Login() {
  const client = useQueryClient()
  const wanted = useSyncExternalStore(loginRequest.subscribe, loginRequest.wanted)
  useEffect(() => {
    if (wanted) forceCheck(client)
  }, [client, wanted])
  return <Suspense>{wanted && <LoginDialog onClose={loginRequest.dismiss} />}</Suspense>
}
