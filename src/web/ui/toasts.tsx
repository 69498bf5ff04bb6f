import { lazy, Suspense, useEffect, useState } from 'react'
import { seeThroughToasts } from './see-through-toasts.ts'
import { TOAST_SHOWN } from './toast.ts'

const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

// Nearly every message follows what somebody did.
const SIGNS_OF_A_PERSON = ['pointermove', 'pointerdown', 'keydown', TOAST_SHOWN]

/** Where short messages appear. Their code comes with the first sign that somebody is there, not with the page. */
export function Toasts() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    for (const sign of SIGNS_OF_A_PERSON) addEventListener(sign, want, { once: true, passive: true })
    return () => {
      for (const sign of SIGNS_OF_A_PERSON) removeEventListener(sign, want)
    }
  }, [])
  useEffect(() => (wanted ? seeThroughToasts(TOAST_SHOWN) : undefined), [wanted])
  return <Suspense>{wanted && <Notifications position="bottom-right" withinPortal={false} />}</Suspense>
}
