import { Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** A dialog is open, which keeps what it holds. */
  blocked: boolean
  onAdd: () => void
  children: ReactNode
}

/** Adds to the list of a page; so does the key `n`. */
export function AddButton({ blocked, onAdd, children }: Props) {
  useHotkeys(blocked ? [] : [['n', onAdd]])
  return (
    <Button
      leftSection={<IconPlus size={17} aria-hidden />}
      rightSection={
        <Kbd className="key-hint" aria-hidden>
          n
        </Kbd>
      }
      aria-keyshortcuts="n"
      onClick={onAdd}
    >
      {children}
    </Button>
  )
}
