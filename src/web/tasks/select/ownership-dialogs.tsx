import { Autocomplete, Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { Tag } from '../../../contract/tasks/ownership.ts'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import type { Change } from '../bulk/bulk-calls.ts'
import { tasksQuery } from '../cache/list-queries.ts'
import { OwnerField } from '../ownership/owner-field.tsx'
import { tagsOf } from '../ownership/ownership-filters.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'

/** Of a dialog on the selected tasks. */
export type DialogProps = { tasks: readonly Task[]; onChange: (change: Change) => void; onClose: () => void }

export function OwnerDialog({ tasks, onChange, onClose }: DialogProps) {
  const [owner, setOwner] = useState<string | null>(null)
  return (
    <Dialog title={messages.change_owner(tasks.length)} onClose={onClose}>
      <OwnerField value={owner} onChange={setOwner} />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={() =>
            onChange({ action: 'change_owner', owner_id: owner === null ? null : Number(owner) })
          }
        >
          Set owner
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

export function AddTagDialog({ tasks, onChange, onClose }: DialogProps) {
  const known = tagsOf(useQuery(tasksQuery(useDescriptor())).data ?? [])
  const [text, setText] = useState('')
  const [shows, setShows] = useState(false)
  const parsed = Tag.safeParse(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (parsed.success) onChange({ action: 'add_tag', tag: parsed.data })
    else setShows(true)
  }
  return (
    <Dialog title={messages.add_tag(tasks.length)} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Autocomplete
          label="Tag"
          data={known}
          maxLength={limits.tag_characters}
          data-autofocus
          value={text}
          error={shows && !parsed.success ? parsed.error.issues[0]?.message : undefined}
          onChange={setText}
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Add tag</Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

export function RemoveTagDialog({ tasks, onChange, onClose }: DialogProps) {
  const [tag, setTag] = useState<string | null>(null)
  return (
    <Dialog title={messages.remove_tag(tasks.length)} onClose={onClose}>
      <Select label="Tag" searchable data-autofocus data={tagsOf(tasks)} value={tag} onChange={setTag} />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={tag === null}
          onClick={() => tag !== null && onChange({ action: 'remove_tag', tag })}
        >
          Remove tag
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
