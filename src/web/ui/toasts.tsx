import { lazy, Suspense, useEffect, useState } from 'react'
import { seeThroughToasts } from './see-through-toasts.ts'
import { TOAST_SHOWN } from './toast.ts'

const Notifications = lazy(async () => {
  const [{ Notifications }] = await Promise.all([
    import('@mantine/notifications'),
    import('@mantine/notifications/styles.layer.css'),
  ])
  return { default: Notifications }
})

// Nearly every toast follows user input.
const SIGNS_OF_A_PERSON = ['pointermove', 'pointerdown', 'keydown', TOAST_SHOWN]

/** Container of toasts. Their code is loaded with the first user input, not with the page. */
export function Toasts() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    for (const sign of SIGNS_OF_A_PERSON) addEventListener(sign, want, { once: true, passive: true })
    return () => {
      for (const sign of SIGNS_OF_A_PERSON) removeEventListener(sign, want)
    }
  }, [])
  return <Suspense>{wanted && <FollowedToasts />}</Suspense>
}

/** The toasts; their effect starts when they are mounted, which may be after the first one was shown. */
function FollowedToasts() {
  useEffect(() => seeThroughToasts(TOAST_SHOWN), [])
  return <Notifications position="bottom-right" withinPortal={false} />
}
