import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Begins each page that a link opens at its top, with the focus on its heading: the keyboard goes on from there, and a screen
 * reader says where it is. The first page is the browser's own matter, and so is the place that the way back leads to.
 */
export function useFocusOnNavigate(): void {
  const { pathname } = useLocation()
  const byHistory = useNavigationType() === 'POP'
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!byHistory) window.scrollTo(0, 0)
    const heading = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname, byHistory])
}
