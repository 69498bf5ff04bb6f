const PRESSABLE = 'a[href], button, input, select, textarea, label, [role="switch"], [tabindex="0"]'
// Elements of a toast itself do not count as covered.
const TOASTS = '.mantine-Notifications-root'

type Point = { x: number; y: number }

const overlap = (a: DOMRect, b: DOMRect) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const contains = ({ left, right, top, bottom }: DOMRect, { x, y }: Point) =>
  left <= x && x < right && top <= y && y < bottom

/**
 * Marks toasts that cover a control of the page, for the style sheet: `data-over` passes mouse clicks to the page, except on the
 * toast's own buttons; `data-beneath` fades the toast while the pointer or the focus is on a control below it. Returns a function
 * that stops it.
 */
export function seeThroughToasts(shown: string): () => void {
  let pointer: Point | null = null
  let frame = 0
  const marked = (toast: Element, name: string, on: boolean) => toast.toggleAttribute(name, on)

  function mark() {
    frame = 0
    const toasts = [...document.querySelectorAll('.toast')]
    if (toasts.length === 0) return
    const pressable = [...document.querySelectorAll(PRESSABLE)].filter((one) => !one.closest(TOASTS))
    for (const toast of toasts) {
      const box = toast.getBoundingClientRect()
      const covered = pressable.filter((one) => overlap(box, one.getBoundingClientRect()))
      const own = [...toast.querySelectorAll('a, button')].map((one) => one.getBoundingClientRect())
      const focused = covered.some((one) => one === document.activeElement)
      marked(toast, 'data-over', covered.length > 0)
      const pointed = (one: DOMRect) => pointer !== null && contains(one, pointer)
      const beneath = covered.length > 0 && pointed(box) && !own.some(pointed)
      marked(toast, 'data-beneath', focused || beneath)
    }
  }
  const later = () => {
    if (frame === 0) frame = requestAnimationFrame(mark)
  }
  const moved = (event: PointerEvent) => {
    // Touch has no hover.
    pointer = event.pointerType === 'touch' ? null : { x: event.clientX, y: event.clientY }
    if (document.querySelector('.toast')) later()
  }
  // Toasts and rows are added, moved and removed.
  const changes = new MutationObserver(later)
  const follow = () => {
    const root = document.querySelector(`${TOASTS}[data-position="bottom-right"]`)
    if (root) changes.observe(root, { childList: true, subtree: true })
    later()
  }
  const events = ['scroll', 'resize', 'focusin', 'transitionend'] as const
  for (const name of events) addEventListener(name, later, { capture: true, passive: true })
  addEventListener('pointermove', moved, { passive: true })
  addEventListener(shown, follow)
  follow()
  return () => {
    changes.disconnect()
    cancelAnimationFrame(frame)
    for (const name of events) removeEventListener(name, later, { capture: true })
    removeEventListener('pointermove', moved)
    removeEventListener(shown, follow)
  }
}
