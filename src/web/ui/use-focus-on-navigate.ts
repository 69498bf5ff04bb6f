import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { isCovered } from './use-shortcut.ts'

/**
 * On navigation, scrolls to the top and focuses the heading, so that keyboard and screen reader start there. The first page and
 * back navigation are left to the browser. A dialog that was opened while the screen loaded keeps the focus.
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
    if (!heading || isCovered()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname, byHistory])
}
