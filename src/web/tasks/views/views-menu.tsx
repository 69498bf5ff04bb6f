import { Menu } from '@mantine/core'
import { IconBookmark, IconBookmarkPlus, IconCheck, IconSettings } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { FilteredList, SavedView } from '../../../contract/saved-views/calls.ts'
import { savedViewMessages as messages } from '../../../contract/saved-views/client-messages.ts'
import { useSession } from '../../lib/session.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { savedViewsQuery } from './saved-views.ts'
import classes from './views.module.css'

const SaveViewDialog = lazy(async () => ({
  default: (await import('./save-view-dialog.tsx')).SaveViewDialog,
}))

const ManageViewsDialog = lazy(async () => ({
  default: (await import('./manage-views-dialog.tsx')).ManageViewsDialog,
}))

type Props = {
  list: FilteredList
  /** The filters that are set, as query parameters; blank: none. */
  query: string
  /** Sets the filters of a view. */
  onChoose: (query: string) => void
}

/** Menu of the saved views of a list; its button names the view whose filters are set. */
export function ViewsMenu({ list, query, onChoose }: Props) {
  const views = useQuery(savedViewsQuery(list)).data ?? []
  const me = useSession()?.user?.id
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const chosen = views.find((view) => view.query === query)
  const own = views.filter(({ owner }) => owner.id === me)
  const shared = views.filter(({ owner }) => owner.id !== me)
  const items = (some: readonly SavedView[]) =>
    some.map((view) => (
      <Menu.Item
        key={view.id}
        aria-current={view === chosen}
        leftSection={view === chosen ? <IconCheck size={16} /> : <span className={classes.unchecked} />}
        onClick={() => onChoose(view.query)}
      >
        {view.name}
        <span className={classes.owner}>
          {view.owner.id === me ? view.is_shared && messages.shared_mark : messages.by(view.owner.name)}
        </span>
      </Menu.Item>
    ))
  return (
    <>
      <MenuButton
        label={chosen ? messages.chosen(chosen.name) : messages.views}
        variant="default"
        size={36}
        className={classes.button}
        items={
          <div className={classes.menu}>
            {views.length === 0 && <Menu.Label>{messages.none_yet}</Menu.Label>}
            {own.length > 0 && <Menu.Label>{messages.own}</Menu.Label>}
            {items(own)}
            {shared.length > 0 && <Menu.Label>{messages.shared}</Menu.Label>}
            {items(shared)}
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconBookmarkPlus size={16} />}
              disabled={query === ''}
              onClick={() => setOpen('save')}
            >
              {messages.save}
              {query === '' && <span className={classes.owner}>{messages.nothing_to_save}</span>}
            </Menu.Item>
            {views.some(({ can_edit }) => can_edit) && (
              <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => setOpen('manage')}>
                {messages.manage}
              </Menu.Item>
            )}
          </div>
        }
      >
        <IconBookmark size={17} aria-hidden />
        <span className={classes.label}>{chosen ? messages.chosen(chosen.name) : messages.views}</span>
      </MenuButton>
      <Suspense>
        {open === 'save' && (
          <SaveViewDialog list={list} query={query} own={own} onClose={() => setOpen(null)} />
        )}
        {open === 'manage' && <ManageViewsDialog list={list} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}
