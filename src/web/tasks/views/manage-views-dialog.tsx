import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FilteredList, type SavedView, savedViews } from '../../../contract/saved-views/calls.ts'
import { savedViewMessages as messages } from '../../../contract/saved-views/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useSession } from '../../lib/session.ts'
import { useUnsavedInput } from '../../lib/unsaved-input.ts'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { savedViewsQuery, useViewsRefresh } from './saved-views.ts'
import classes from './views.module.css'

type Props = { list: FilteredList; onClose: () => void }

/** The views that the user may change: rename, share, delete. */
export function ManageViewsDialog({ list, onClose }: Props) {
  const views = useQuery(savedViewsQuery(list)).data ?? []
  const refresh = useViewsRefresh(list)
  const [deleting, setDeleting] = useState<SavedView | null>(null)
  const editable = views.filter(({ can_edit }) => can_edit)
  return (
    <Dialog title={messages.manage_title} size="lg" tall onClose={onClose}>
      {editable.length === 0 && <p>{messages.none_yet}</p>}
      <ul className={classes.views}>
        {editable.map((view) => (
          <ViewLine key={view.id} view={view} list={list} onDelete={() => setDeleting(view)} />
        ))}
      </ul>
      {deleting && (
        <DeleteDialog
          question={messages.confirm_delete(deleting.name, deleting.is_shared)}
          remove={() => call(savedViews.delete, { params: { id: deleting.id } })}
          deleted={messages.deleted}
          failed={messages.delete_failed}
          onDeleted={refresh}
          onClose={() => setDeleting(null)}
        />
      )}
    </Dialog>
  )
}

type LineProps = { view: SavedView; list: FilteredList; onDelete: () => void }

function ViewLine({ view, list, onDelete }: LineProps) {
  const refresh = useViewsRefresh(list)
  const me = useSession()?.user?.id
  const [name, setName] = useState(view.name)
  const is_renamed = name.trim() !== view.name
  useUnsavedInput(is_renamed)
  const change = useMutation({
    mutationFn: (body: { name?: string; is_shared?: boolean }) =>
      call(savedViews.update, { params: { id: view.id }, body }),
    onSuccess: (saved, { name: renamed }) => {
      if (renamed !== undefined) {
        setName(saved.name)
        toast.success(messages.renamed(saved.name))
      }
      return refresh()
    },
  })
  const refusal = change.error && reasonOf(change.error, messages.save_failed)
  return (
    <li>
      <form
        className={classes.name}
        onSubmit={(event) => {
          event.preventDefault()
          if (is_renamed) change.mutate({ name })
        }}
      >
        <TextInput
          aria-label={messages.rename_of(view.name)}
          description={view.owner.id === me ? undefined : messages.by(view.owner.name)}
          value={name}
          error={refusal}
          onChange={({ currentTarget }) => {
            change.reset()
            setName(currentTarget.value)
          }}
        />
        {is_renamed && (
          <Button type="submit" variant="default" loading={change.isPending}>
            {messages.rename}
          </Button>
        )}
      </form>
      <div className={classes.switches}>
        <span aria-hidden>{messages.share}</span>
        <Switch
          label={messages.shared_switch(view.name)}
          checked={view.is_shared}
          locked={change.isPending}
          onChange={(is_shared) => change.mutate({ is_shared })}
        />
        <ActionIcon size={36} aria-label={messages.delete_of(view.name)} title="Delete" onClick={onDelete}>
          <IconTrash size={17} />
        </ActionIcon>
      </div>
    </li>
  )
}
