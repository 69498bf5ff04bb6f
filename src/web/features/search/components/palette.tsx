import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { limits } from '../../../../contract/limits.ts'
import { searchMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import { useSession } from '../../../lib/session.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { findQuery } from '../api.ts'
import { groupsFor, type Item, type Runnable, readText } from './items.ts'
import { PaletteList } from './palette-list.tsx'
import { addRecent, readRecent } from './recent.ts'
import { RunQuestion } from './run-question.tsx'
import { useActions } from './use-actions.ts'

/** Search over tasks, types, screens and actions. A chosen run is confirmed before it starts. */
export function Palette({ onShowKeys, onClose }: { onShowKeys: () => void; onClose: () => void }) {
  const navigate = useNavigate()
  const user = useSession()?.user
  const [typed, setTyped] = useState('')
  const [asks, setAsks] = useState<Runnable | null>(null)
  const actions = useActions(onShowKeys)
  const [recent] = useState(() => readRecent(user?.id))
  const { text } = readText(typed)
  const [asked] = useDebouncedValue(text, limits.search_delay_ms)
  const isSearched = Boolean(user) && text !== ''
  const query = useQuery({ ...findQuery(asked), enabled: isSearched && asked !== '' })
  const isCurrent = isSearched && asked === text
  const groups = groupsFor({
    text: typed,
    found: isCurrent ? query.data : undefined,
    signed_in: Boolean(user),
    actions,
    recent,
  })

  const choose = (item: Item) => {
    if ('run' in item) return setAsks(item.run)
    if ('to' in item) {
      if (user) addRecent(user.id, item)
      onClose()
      return void navigate(item.to)
    }
    item.act()
    onClose()
  }

  return (
    <>
      <Dialog title={messages.placeholder} size="640px" tall bare onClose={onClose}>
        <PaletteList
          typed={typed}
          onType={setTyped}
          groups={groups}
          state={
            !isSearched
              ? 'idle'
              : isCurrent && query.isError
                ? 'failed'
                : isCurrent && query.data
                  ? 'found'
                  : 'searching'
          }
          hint={user ? messages.nothing_hint : messages.nothing_signed_out}
          onChoose={choose}
          onRetry={() => void query.refetch()}
          onClose={onClose}
        />
      </Dialog>
      {asks && <RunQuestion task={asks} onConfirm={onClose} onClose={() => setAsks(null)} />}
    </>
  )
}
