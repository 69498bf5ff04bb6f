import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errors } from '../../../../contract/errors.ts'
import { messages } from '../../../../contract/messages.ts'
import { type SyncPreset, syncPresets } from '../../../../contract/sync-presets.ts'
import { CallError, call } from '../../../lib/call.ts'
import { fieldErrors, refusedFields } from '../../../lib/form-errors.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { presetsQuery } from '../api.ts'
import { PresetForm, type PresetValues, rebase, valuesOf } from './preset-form.ts'

type Props = {
  /** The preset to edit; null adds one. */
  preset: SyncPreset | null
  onClose: () => void
}

/** Adds or edits a preset. What was typed stays through a refused save. */
export function PresetDialog({ preset, onClose }: Props) {
  const client = useQueryClient()
  const [base, setBase] = useState(preset)
  const form = useForm<PresetValues>({ initialValues: valuesOf(preset), validate: fieldErrors(PresetForm) })
  const focusFirst = (marked: object) => {
    const [field] = Object.keys(marked)
    if (field) form.getInputNode(field)?.focus()
  }
  const save = useMutation({
    mutationFn: (values: PresetValues) => {
      const body = PresetForm.parse(values)
      if (!base) return call(syncPresets.create, { body })
      const { id, updated_at } = base
      return call(syncPresets.update, { params: { id }, body: { ...body, updated_at } })
    },
    onSuccess: () => {
      toast.success(base ? messages.preset_updated : messages.preset_added)
      void client.invalidateQueries(presetsQuery)
      onClose()
    },
    onError: (error) => {
      if (!(error instanceof CallError)) return
      const marked = refusedFields(error, form.getValues())
      form.setErrors(marked)
      focusFirst(marked)
    },
  })
  const loadAgain = useMutation({
    mutationFn: () => client.fetchQuery({ ...presetsQuery, staleTime: 0 }),
    onSuccess: (presets) => {
      const fresh = presets.find(({ id }) => id === base?.id)
      if (!fresh) return onClose()
      form.setValues(rebase(form.getValues(), valuesOf(base), valuesOf(fresh)))
      setBase(fresh)
      save.reset()
    },
    onError: (error) => toast.error(reasonOf(error, messages.fetch_sync_presets_failed)),
  })
  const marked = Object.keys(form.errors).length
  const stale = save.error instanceof CallError && save.error.message === errors.stale_update.message
  const refusal = save.error ? reasonOf(save.error, messages.save_preset_failed) : null
  const problem = refusal ?? (marked > 0 ? messages.check_fields(marked) : null)
  return (
    <Dialog title={base ? messages.edit_preset : messages.add_preset} onClose={onClose} form>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => save.mutate(values), focusFirst)}
        onChange={() => save.isError && !stale && save.reset()}
      >
        {problem && (
          <Alert role="alert" color="red" icon={<IconAlertCircle />} mb={14}>
            {problem}{' '}
            {stale && (
              <Button
                size="compact-sm"
                variant="default"
                loading={loadAgain.isPending}
                onClick={() => loadAgain.mutate()}
              >
                Load again
              </Button>
            )}
          </Alert>
        )}
        <TextInput label="Name" withAsterisk data-autofocus mb={14} {...form.getInputProps('name')} />
        <Textarea
          label="Fields left out"
          description="One header name a line, as it stands in the source"
          withAsterisk
          rows={6}
          {...form.getInputProps('excluded_fields')}
        />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
