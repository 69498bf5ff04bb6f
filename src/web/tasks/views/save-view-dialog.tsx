import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  type FilteredList,
  NewSavedView,
  type SavedView,
  savedViews,
} from '../../../contract/saved-views/calls.ts'
import { savedViewMessages as messages } from '../../../contract/saved-views/client-messages.ts'
import { call } from '../../lib/call.ts'
import { fieldErrors } from '../../lib/form-errors.ts'
import { useFormSave } from '../../lib/use-form-save.ts'
import { DialogFooter } from '../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../ui/form-dialog.tsx'
import { FormNotice } from '../../ui/form-notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { useViewsRefresh } from './saved-views.ts'

type Props = {
  list: FilteredList
  query: string
  /** The user's own views, one of which a save under its name replaces. */
  own: readonly SavedView[]
  onClose: () => void
}

/** Saves the filters of a list under a name. */
export function SaveViewDialog({ list, query, own, onClose }: Props) {
  const refresh = useViewsRefresh(list)
  const form = useForm({
    initialValues: { list, query, name: '', is_shared: false },
    validate: fieldErrors(NewSavedView),
  })
  const { name, is_shared } = form.values
  const former = own.find((view) => view.name.toLowerCase() === name.trim().toLowerCase())
  const save = useFormSave({
    form,
    send: (values) =>
      former
        ? call(savedViews.update, { params: { id: former.id }, body: { query, is_shared } })
        : call(savedViews.create, { body: NewSavedView.parse(values) }),
    onSaved: (view) => {
      toast.success(messages.saved(view.name))
      void refresh()
      onClose()
    },
    failure: messages.save_failed,
  })
  return (
    <FormDialog title={messages.save_title} dirty={form.isDirty()} onClose={onClose}>
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TextInput
          label="Name"
          withAsterisk
          data-autofocus
          mb={14}
          description={former && messages.replaces(former.name)}
          {...form.getInputProps('name')}
        />
        <Switch
          label={messages.share}
          showLabel
          checked={is_shared}
          onChange={(on) => form.setFieldValue('is_shared', on)}
        />
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            {former ? messages.replace_button : messages.save_button}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
