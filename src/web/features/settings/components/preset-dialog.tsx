import { Button, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type SyncPreset, syncPresets } from '../../../../contract/sync-presets/calls.ts'
import { presetMessages } from '../../../../contract/sync-presets/client-messages.ts'
import { CallError, call } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { presetsQuery } from '../api.ts'
import { PresetForm, type PresetValues, valuesOf } from './preset-form.ts'

type Props = {
  /** The preset to edit; null adds one. */
  preset: SyncPreset | null
  onClose: () => void
}

/** Adds or edits a preset. Input is kept if the save is rejected. */
export function PresetDialog({ preset, onClose }: Props) {
  const client = useQueryClient()
  // the version that the form is based on; after a conflict, the newer version
  const [base, setBase] = useState(preset)
  const form = useForm<PresetValues>({ initialValues: valuesOf(preset), validate: fieldErrors(PresetForm) })
  const send = (values: PresetValues) => {
    const body = PresetForm.parse(values)
    if (!base) return call(syncPresets.create, { body })
    return call(syncPresets.update, {
      params: { id: base.id },
      body: { ...body, updated_at: base.updated_at },
    })
  }
  const readFresh = async (edited: SyncPreset) => {
    const now = await client.fetchQuery({ ...presetsQuery, staleTime: 0 })
    const fresh = now.find(({ id }) => id === edited.id)
    if (!fresh) throw new CallError(404, presetMessages.preset_not_found)
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const save = useFormSave({
    form,
    send,
    onSaved: () => {
      toast.success(base ? presetMessages.preset_updated : presetMessages.preset_added)
      void client.invalidateQueries(presetsQuery)
      onClose()
    },
    failure: presetMessages.save_preset_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  return (
    <FormDialog
      title={base ? presetMessages.edit_preset : presetMessages.add_preset}
      onClose={onClose}
      dirty={form.isDirty()}
    >
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TextInput label="Name" withAsterisk data-autofocus mb={14} {...form.getInputProps('name')} />
        <Textarea
          label="Skipped fields"
          description="One header name a line, as it stands in the source"
          withAsterisk
          rows={6}
          {...form.getInputProps('excluded_fields')}
        />
        <DialogFooter>
          <CancelButton />
          {base && (
            <Button variant="default" onClick={() => setBase(null)}>
              Add as new preset
            </Button>
          )}
          <Button type="submit" loading={save.pending}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
