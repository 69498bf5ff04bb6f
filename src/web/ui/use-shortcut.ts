import { useEffectEvent, useLayoutEffect } from 'react'
import { areSingleKeysOn } from '../lib/single-keys.ts'
import { isSingleKey, matches, type Shortcut, type ShortcutName, shortcuts } from './shortcuts.ts'

type Handler = { name: ShortcutName; run: () => void }

// The handler that was added last gets the key: a dialog before the page below it.
const handlers: Handler[] = []

/** Calls `run` when the shortcut is pressed, while the component is mounted and `enabled`. */
export function useShortcut(name: ShortcutName, run: () => void, enabled = true): void {
  const latest = useEffectEvent(run)
  // A layout effect, so that the shortcut works from the first paint on.
  useLayoutEffect(() => {
    if (!enabled) return
    const handler: Handler = { name, run: () => latest() }
    if (handlers.length === 0) document.addEventListener('keydown', onKeyDown)
    handlers.push(handler)
    return () => {
      handlers.splice(handlers.indexOf(handler), 1)
      if (handlers.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [name, enabled])
}

function onKeyDown(event: KeyboardEvent): void {
  const handler = handlers.findLast(({ name }) => isPressed(shortcuts[name], event))
  if (!handler) return
  event.preventDefault()
  handler.run()
}

/** Whether the event presses the shortcut and may do so: single keys only if they are on, outside of fields, dialogs and menus. */
export function isPressed(shortcut: Shortcut, event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || !matches(shortcut, event)) return false
  return !isSingleKey(shortcut) || (areSingleKeysOn() && !takesCharacters(event.target) && !isCovered())
}

const FIELDS =
  'textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox], [role=tree], ' +
  'input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset])'

const takesCharacters = (target: EventTarget | null) =>
  target instanceof Element && target.closest(FIELDS) !== null

/** Whether a dialog or menu is open, which has the focus and takes all keys. */
export const isCovered = () => document.querySelector('[role=dialog][aria-modal=true], [role=menu]') !== null
