import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import { frameMessages } from '../../contract/system/client-messages.ts'

type Item = { id: number; name: string }

/** Screen reader announcements while a row is dragged: its name and its new position. */
export function moveAnnouncements(rows: readonly Item[]): Announcements {
  const nameOf = ({ id }: { id: UniqueIdentifier }) => rows.find((row) => row.id === id)?.name ?? ''
  const placeOf = ({ id }: { id: UniqueIdentifier }) => rows.findIndex((row) => row.id === id) + 1
  let moved = false
  return {
    onDragStart: ({ active }) => {
      moved = false
      return frameMessages.row_picked_up(nameOf(active), placeOf(active), rows.length)
    },
    // At the start of a drag, the row is over itself, which would replace the announcement of the start.
    onDragOver: ({ active, over }) => {
      moved ||= over?.id !== active.id
      return over && moved ? frameMessages.row_over(nameOf(active), placeOf(over), rows.length) : undefined
    },
    onDragEnd: ({ active, over }) =>
      over
        ? frameMessages.row_dropped(nameOf(active), placeOf(over), rows.length)
        : frameMessages.row_put_back(nameOf(active)),
    onDragCancel: ({ active }) => frameMessages.row_put_back(nameOf(active)),
  }
}
