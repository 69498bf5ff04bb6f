import { useSyncExternalStore } from 'react'

const KEY = 'rowferry.single_keys'
const listeners = new Set<() => void>()

/** Whether shortcuts of a single key are on; stored in the browser, on by default. */
export const areSingleKeysOn = () => localStorage.getItem(KEY) !== 'off'

/** Switches shortcuts of a single key on or off. */
export function setSingleKeys(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab has changed the setting.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The same, kept up to date. */
export const useSingleKeys = () => useSyncExternalStore(subscribe, areSingleKeysOn)
