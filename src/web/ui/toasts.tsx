import { lazy, Suspense, useEffect, useState } from 'react'
import { seeThroughToasts } from './see-through-toasts.ts'
import { TOAST_SHOWN } from './toast.ts'

const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

// Nearly every message follows a user action.
const SIGNS_OF_A_PERSON = ['pointermove', 'pointerdown', 'keydown', TOAST_SHOWN]

/** Container of short messages. Their code is loaded with the first user input, not with the page. */
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
