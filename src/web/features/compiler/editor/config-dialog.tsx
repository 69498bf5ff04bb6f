import { Button, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compiler } from '../../../../contract/compiler/calls.ts'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { CallError, call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { OwnerField } from '../../../tasks/ownership/owner-field.tsx'
import { newOwnership } from '../../../tasks/ownership/ownership-form.ts'
import { TagsField } from '../../../tasks/ownership/tags-field.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { PlainCheckbox } from '../../../ui/plain-checkbox.tsx'
import { toast } from '../../../ui/toast.ts'
import { configsQuery } from '../api.ts'
import { bodyOf, type ConfigValues, formErrors, newValues, valuesOf } from './config-form.ts'
import { MergeSections } from './merge-sections.tsx'
import { Preview } from './preview.tsx'
import { SourceOrder } from './source-order.tsx'

type Props = {
  /** The configuration to edit; null adds one. */
  config: CompilerConfig | null
  onSaved?: (saved: CompilerConfig) => void
  onClose: () => void
}

/** Adds or edits a configuration. Input is kept if the save is rejected. */
export function ConfigDialog({ config, onSaved, onClose }: Props) {
  const client = useQueryClient()
  const own_id = useSession()?.user?.id ?? null
  const configs = useQuery(configsQuery).data ?? []
  // the version that the form is based on; after a conflict, the newer version
  const [base, setBase] = useState(config)
  const form = useForm<ConfigValues>({
    initialValues: base ? valuesOf(base) : { ...newValues, ...newOwnership(own_id) },
    validate: formErrors,
  })
  const send = (values: ConfigValues) => {
    const body = bodyOf(values)
    if (!base) return call(compiler.createConfig, { body })
    return call(compiler.updateConfig, {
      params: { id: base.id },
      body: { ...body, updated_at: base.updated_at },
    })
  }
  const readFresh = async (edited: CompilerConfig) => {
    const now = await client.fetchQuery({ ...configsQuery, staleTime: 0 })
    const fresh = now.find(({ id }) => id === edited.id)
    if (!fresh) throw new CallError(404, compilerMessages.missing)
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const save = useFormSave({
    form,
    send,
    onSaved: async (saved) => {
      toast.success(base ? compilerMessages.updated : compilerMessages.created)
      await client.invalidateQueries(configsQuery)
      onSaved?.(saved)
      onClose()
    },
    failure: compilerMessages.save_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  return (
    <FormDialog
      title={base ? 'Edit Configuration' : 'New Configuration'}
      onClose={onClose}
      size="xl"
      dirty={form.isDirty()}
    >
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TextInput label="Name" withAsterisk data-autofocus mb={14} {...form.getInputProps('name')} />
        <Textarea label="Description" rows={2} mb={14} {...form.getInputProps('description')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={14} mb={14}>
          <OwnerField {...form.getInputProps('owner_id')} value={form.values.owner_id} />
          <TagsField tasks={configs} {...form.getInputProps('tags')} value={form.values.tags} />
        </SimpleGrid>
        <PlainCheckbox
          label="Active"
          checked={form.values.is_active}
          onChange={(is_active) => form.setFieldValue('is_active', is_active)}
        />
        <SourceOrder form={form} />
        <MergeSections form={form} config_id={base?.id ?? null} />
        <Preview form={form} config_id={base?.id ?? null} />
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            {base ? 'Save' : 'Add Configuration'}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
