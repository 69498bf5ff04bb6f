import { lazy, Suspense } from 'react'
import { useBlocker } from 'react-router'
import { hasUnsavedInput } from '../lib/unsaved-input.ts'

const DiscardDialog = lazy(async () => ({ default: (await import('./discard-dialog.tsx')).DiscardDialog }))

/** Asks for confirmation before a navigation discards unsaved input. Mounted once, for all pages. */
export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Filters change only the query string.
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
