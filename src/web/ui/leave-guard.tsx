import { lazy, Suspense } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsavedInput } from '../lib/unsaved-input.ts'

const DiscardDialog = lazy(async () => ({ default: (await import('./discard-dialog.tsx')).DiscardDialog }))

/** Asks before the way to another page loses what was typed on this one. There is one for all pages. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // filters in the address are no other page
      currentLocation.pathname !== nextLocation.pathname && hasUnsavedInput(),
  )
  return (
    <Suspense>
      {blocker.state === 'blocked' && (
        <DiscardDialog onKeep={() => blocker.reset()} onDiscard={() => blocker.proceed()} />
      )}
    </Suspense>
  )
}
