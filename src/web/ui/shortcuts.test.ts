import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSingleKey, matches, type Shortcut, shortcuts } from './shortcuts.ts'

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false }
const letter: Shortcut = { key: 'n', scope: 'lists' }
const sign: Shortcut = { key: '?', scope: 'everywhere' }
const withCtrl: Shortcut = { key: 'k', mod: true, scope: 'everywhere' }

test('a letter is pressed without any modifier; Caps Lock changes nothing', () => {
  expect(matches(letter, { ...none, key: 'n' })).toBe(true)
  expect(matches(letter, { ...none, key: 'N' })).toBe(true)
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])
    expect(matches(letter, { ...none, key: 'n', [modifier]: true }), modifier).toBe(false)
})

test('a sign counts with or without Shift, since keyboards differ', () => {
  expect(matches(sign, { ...none, key: '?', shiftKey: true })).toBe(true)
  expect(matches(sign, { ...none, key: '?' })).toBe(true)
  expect(matches(sign, { ...none, key: '?', ctrlKey: true })).toBe(false)
})

test('Ctrl and Cmd are alike, and needed', () => {
  expect(matches(withCtrl, { ...none, key: 'k', ctrlKey: true })).toBe(true)
  expect(matches(withCtrl, { ...none, key: 'k', metaKey: true })).toBe(true)
  expect(matches(withCtrl, { ...none, key: 'k' })).toBe(false)
  expect(matches(withCtrl, { ...none, key: 'k', ctrlKey: true, altKey: true })).toBe(false)
})

test('a key that is held down counts once, except where the shortcut repeats', () => {
  expect(matches(letter, { ...none, key: 'n', repeat: true })).toBe(false)
  expect(matches({ ...letter, repeats: true }, { ...none, key: 'n', repeat: true })).toBe(true)
})

test('every letter and sign without Ctrl or Cmd is a single key, which can be switched off', () => {
  expect(isSingleKey(letter)).toBe(true)
  expect(isSingleKey(sign)).toBe(true)
  expect(isSingleKey(withCtrl)).toBe(false)
  expect(isSingleKey({ key: 'Enter', scope: 'rows' })).toBe(false)
})

test('no key has two meanings in the same place', () => {
  const keys = Object.values(shortcuts).map(({ key, scope, ...more }) => `${scope} ${'mod' in more} ${key}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every shortcut of the catalogue is handled, and no other code listens for shortcuts', async () => {
  const web = join(import.meta.dirname, '..')
  const used = new Set<string>()
  const others: string[] = []
  for await (const path of glob('**/*.{ts,tsx}', { cwd: web })) {
    const source = await readFile(join(web, path), 'utf8')
    for (const [, name = ''] of source.matchAll(/useShortcut\('(\w+)'/g)) used.add(name)
    for (const [, name = ''] of source.matchAll(/isPressed\(shortcuts\.(\w+)/g)) used.add(name)
    // Escape in the menu of phones is no shortcut of the catalogue.
    if (/useHotkeys/.test(source) && path !== 'ui/app-shell.tsx' && !path.endsWith('.test.ts'))
      others.push(path)
  }
  const handled = Object.entries(shortcuts).filter(([, shortcut]) => !('is_native' in shortcut))
  expect([...used].sort()).toEqual(handled.map(([name]) => name).sort())
  expect(others).toEqual([])
})
