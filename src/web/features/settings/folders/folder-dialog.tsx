import { Button, MultiSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Folder } from '../../../../contract/folders/calls.ts'
import { folderMessages as messages } from '../../../../contract/folders/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { usersQuery } from '../../../tasks/google/google-queries.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { foldersQuery, limitFolder } from './folder-calls.ts'

/** Limits a folder to some people. Input is kept if the save is rejected. */
export function FolderDialog({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const client = useQueryClient()
  const team = useQuery(usersQuery).data ?? []
  const form = useForm({ initialValues: { user_ids: folder.people?.map(({ id }) => String(id)) ?? [] } })
  const save = useFormSave({
    form,
    send: ({ user_ids }: { user_ids: string[] }) =>
      limitFolder(folder.name, user_ids.length === 0 ? null : user_ids.map(Number)),
    onSaved: () => {
      toast.success(messages.saved(folder.name))
      void client.invalidateQueries(foldersQuery)
      onClose()
    },
    failure: messages.save_failed,
  })
  return (
    <FormDialog title={messages.people_of(folder.name)} onClose={onClose} dirty={form.isDirty()}>
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <MultiSelect
          label={messages.people}
          description={messages.people_hint}
          data-autofocus
          searchable
          hidePickedOptions
          nothingFoundMessage={messages.nobody_found}
          maxValues={limits.accounts_max}
          data={team.map(({ id, email }) => ({ value: String(id), label: email }))}
          {...form.getInputProps('user_ids')}
        />
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
