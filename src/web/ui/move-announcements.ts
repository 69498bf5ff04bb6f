import type { Announcements, UniqueIdentifier } from '@dnd-kit/core'
import { frameMessages } from '../../contract/system/client-messages.ts'

type Item = { id: number; name: string }

/** What a screen reader says while a row is moved: its name, and the place that it would have. */
export function moveAnnouncements(rows: readonly Item[]): Announcements {
  const nameOf = ({ id }: { id: UniqueIdentifier }) => rows.find((row) => row.id === id)?.name ?? ''
  const placeOf = ({ id }: { id: UniqueIdentifier }) => rows.findIndex((row) => row.id === id) + 1
  let moved = false
  return {
    onDragStart: ({ active }) => {
      moved = false
      return frameMessages.row_picked_up(nameOf(active), placeOf(active), rows.length)
    },
    // a row that is picked up is over itself, which would be said in place of that
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
