import { Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { searchButton } from '../../../../contract/search/client-messages.ts'
import { ariaKeys, keyLabels, shortcuts } from '../../../ui/shortcuts.ts'
import { useShortcut } from '../../../ui/use-shortcut.ts'
import classes from './search-button.module.css'

const loadPalette = () => import('./palette.tsx')
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

/** Opens the search over tasks, types, screens and actions, by press or by its shortcut; and, by its key, the list of shortcuts. */
export function SearchButton() {
  const [opened, setOpened] = useState(false)
  const [keys, setKeys] = useState(false)
  useShortcut('palette', () => setOpened((before) => !before))
  useShortcut('keys', () => setKeys(true))
  useEffect(() => {
    // Ctrl is pressed a moment before K: the palette is there when K is.
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Control' || key === 'Meta') void loadPalette()
    }
    document.addEventListener('keydown', onKeyDown, { passive: true })
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-haspopup="dialog"
        aria-keyshortcuts={ariaKeys(shortcuts.palette)}
        title={searchButton.label}
        onClick={() => setOpened(true)}
      >
        <VisuallyHidden>{searchButton.label}</VisuallyHidden>
        <IconSearch size={18} aria-hidden />
        <span className={classes.text} aria-hidden>
          {searchButton.short}
        </span>
        <span className={classes.keys} aria-hidden>
          {keyLabels(shortcuts.palette).map((key) => (
            <Kbd key={key} className="key-hint">
              {key}
            </Kbd>
          ))}
        </span>
      </UnstyledButton>
      {opened && (
        <Suspense fallback={<Opening />}>
          <Palette onShowKeys={() => setKeys(true)} onClose={() => setOpened(false)} />
        </Suspense>
      )}
      {keys && (
        <Suspense>
          <KeysDialog onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </>
  )
}

// While it loads, no key reaches the page below.
const Opening = () => (
  <div
    role="dialog"
    aria-modal="true"
    aria-busy="true"
    aria-label={searchButton.label}
    className={classes.opening}
  />
)
