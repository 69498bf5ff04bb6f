import { shortcuts } from './shortcuts.ts'
import { isPressed } from './use-shortcut.ts'

/**
 * Elements with this attribute are one Tab stop: Tab goes to the control that had the focus last, the left and right arrow keys go to
 * the others. The first Tab goes to the control with `data-first`, otherwise to the first one.
 */
const GROUP = '[data-roving]'
const CONTROLS = 'a[href], button, input, select'

const last = new WeakMap<Element, HTMLElement>()

/** Starts to keep one Tab stop in each group of the page, also in those that are rendered later. */
export function startRoving(): void {
  const update = (records: readonly MutationRecord[]) => {
    const groups = new Set<Element>()
    for (const { target, addedNodes } of records) {
      const group = target instanceof Element && target.closest(GROUP)
      if (group) groups.add(group)
      for (const node of addedNodes)
        if (node instanceof Element) for (const one of node.querySelectorAll(GROUP)) groups.add(one)
    }
    for (const group of groups) setTabStop(group)
  }
  new MutationObserver(update).observe(document.body, {
    ...{ childList: true, subtree: true, attributes: true },
    attributeFilter: ['disabled', 'hidden', 'data-roving', 'href'],
  })
  for (const group of document.querySelectorAll(GROUP)) setTabStop(group)
  document.addEventListener('focusin', onFocus)
  document.addEventListener('keydown', onKeyDown)
}

const controlsOf = (group: Element) => [...group.querySelectorAll<HTMLElement>(CONTROLS)]

const canFocus = (control: HTMLElement) => !control.matches(':disabled') && control.checkVisibility()

function setTabStop(group: Element): void {
  const controls = controlsOf(group)
  const known = last.get(group)
  const stop =
    known && group.contains(known) && canFocus(known)
      ? known
      : (controls.find((control) => 'first' in control.dataset && canFocus(control)) ??
        controls.find(canFocus))
  for (const control of controls) control.tabIndex = control === stop ? 0 : -1
}

function onFocus({ target }: FocusEvent): void {
  const group = target instanceof HTMLElement && target.matches(CONTROLS) && target.closest(GROUP)
  if (!group || !(target instanceof HTMLElement)) return
  last.set(group, target)
  setTabStop(group)
}

function onKeyDown(event: KeyboardEvent): void {
  const forward = isPressed(shortcuts.next_control, event)
  if (!forward && !isPressed(shortcuts.previous_control, event)) return
  const { target } = event
  const group = target instanceof HTMLElement && target.closest(GROUP)
  if (!group || target.matches('input:not([type=checkbox])')) return
  const controls = controlsOf(group).filter(canFocus)
  const at = controls.indexOf(target)
  const next = controls.at((at + (forward ? 1 : -1)) % controls.length)
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
