import { Button, Kbd } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSingleKeys } from '../lib/single-keys.ts'
import { ariaKeys, shortcuts } from './shortcuts.ts'
import { useShortcut } from './use-shortcut.ts'

/** State of a navigation to a list that opens its dialog to add an item. */
export const ADDING = { adding: true }

type Props = {
  /** A dialog is open, so the button and its key are disabled. */
  blocked: boolean
  onAdd: () => void
  children: ReactNode
}

/** Opens the page's dialog to add an item: by press, by its shortcut, or on arrival with `ADDING`. */
export function AddButton({ blocked, onAdd, children }: Props) {
  const has_key = useSingleKeys()
  useShortcut('add', onAdd, !blocked)
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const is_asked = typeof state === 'object' && state !== null && 'adding' in state
  useEffect(() => {
    if (!is_asked) return
    // Otherwise a reload would open the dialog again.
    void navigate(pathname + search, { replace: true, state: null })
    onAdd()
  }, [is_asked, navigate, pathname, search, onAdd])
  return (
    <Button
      leftSection={<IconPlus size={17} aria-hidden />}
      rightSection={
        has_key && (
          <Kbd className="key-hint" aria-hidden>
            {shortcuts.add.key}
          </Kbd>
        )
      }
      {...(has_key && { 'aria-keyshortcuts': ariaKeys(shortcuts.add) })}
      onClick={onAdd}
    >
      {children}
    </Button>
  )
}
