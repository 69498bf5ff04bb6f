/** Where a shortcut works. */
export type ShortcutScope = 'everywhere' | 'lists' | 'rows' | 'pages' | 'records'

/**
 * `key` is that of KeyboardEvent. `mod`: with Ctrl, or Cmd on a Mac. `repeats`: continues while the key is held down.
 * `is_native`: the browser handles it.
 */
export type Shortcut = { key: string; scope: ShortcutScope; mod?: true; repeats?: true; is_native?: true }

/** All keyboard shortcuts of the application. Nothing else handles these keys, and the list of shortcuts is made of it. */
export const shortcuts = {
  palette: { key: 'k', mod: true, scope: 'everywhere' },
  keys: { key: '?', scope: 'everywhere' },
  next_control: { key: 'ArrowRight', scope: 'everywhere', repeats: true },
  previous_control: { key: 'ArrowLeft', scope: 'everywhere', repeats: true },
  search: { key: '/', scope: 'lists' },
  add: { key: 'n', scope: 'lists' },
  next_row: { key: 'j', scope: 'rows', repeats: true },
  previous_row: { key: 'k', scope: 'rows', repeats: true },
  open_row: { key: 'Enter', scope: 'rows', is_native: true },
  select_row: { key: ' ', scope: 'rows' },
  run_row: { key: 'r', scope: 'rows' },
  edit_row: { key: 'e', scope: 'rows' },
  favourite_row: { key: 'f', scope: 'rows' },
  favourite: { key: 'f', scope: 'pages' },
  find_field: { key: 'k', mod: true, scope: 'records' },
} as const satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof shortcuts

/** Whether the shortcut is one key without Ctrl or Cmd that types a character; these can be switched off. */
export const isSingleKey = ({ key, mod }: Shortcut) => !mod && key.length === 1 && key !== ' '

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>

/** Whether the pressed keys are those of the shortcut. Signs count however the keyboard makes them; letters only without Shift. */
export function matches(shortcut: Shortcut, press: Press): boolean {
  const { key, mod = false, repeats = false } = shortcut
  if (press.altKey || (press.ctrlKey || press.metaKey) !== mod || (press.repeat && !repeats)) return false
  const is_letter = /^[a-z]$/.test(key)
  // With Caps Lock, a letter comes as a capital without Shift.
  return is_letter ? !press.shiftKey && press.key.toLowerCase() === key : press.key === key
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const names: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

/** A key as it is printed on the keyboard. */
export const keyLabel = (key: string) => names[key] ?? key

/** The keys of a shortcut as they are printed on the keyboard. */
export function keyLabels({ key, mod }: Shortcut): string[] {
  const label = names[key] ?? (mod ? key.toUpperCase() : key)
  return mod ? [isMac ? '⌘' : 'Ctrl', label] : [label]
}

/** Value of `aria-keyshortcuts`. */
export const ariaKeys = ({ key, mod }: Shortcut) =>
  mod ? `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}` : key === ' ' ? 'Space' : key
