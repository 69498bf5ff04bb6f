import { Button, Checkbox, MultiSelect, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AlarmKind, type Webhook, WebhookFormat, webhooks } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { call } from '../../../lib/call.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import classes from './alarms.module.css'
import { alarmTypesQuery, webhooksQuery } from './webhook-calls.ts'
import { createBody, formErrors, updateBody, valuesOf, type WebhookValues } from './webhook-form.ts'

type Props = {
  /** The webhook to edit; null adds one. */
  webhook: Webhook | null
  onClose: () => void
}

/** Adds or edits an alarm: its address, its kinds and its quiet hours. Input is kept if the save is rejected. */
export function WebhookDialog({ webhook, onClose }: Props) {
  const client = useQueryClient()
  const types = useQuery(alarmTypesQuery)
  const form = useForm<WebhookValues>({
    initialValues: valuesOf(webhook),
    validate: (values) => formErrors(values, webhook === null),
  })
  const save = useFormSave({
    form,
    send: (values) =>
      webhook
        ? call(webhooks.update, { params: { id: webhook.id }, body: updateBody(values, webhook.updated_at) })
        : call(webhooks.create, { body: createBody(values) }),
    onSaved: () => {
      toast.success(webhook ? messages.updated : messages.added)
      void client.invalidateQueries(webhooksQuery)
      onClose()
    },
    failure: messages.save_failed,
  })
  const fresh =
    form.values.format === 'mail'
      ? 'Recipient, such as ops@example.com'
      : 'Anyone with this URL can post to the channel'
  const stored = webhook ? `Leave blank to keep the one of ${webhook.host}` : fresh
  return (
    <FormDialog
      title={webhook ? messages.edit : messages.add}
      size="lg"
      onClose={onClose}
      dirty={form.isDirty()}
    >
      <form {...save.formProps} className={classes.fields}>
        <FormNotice {...save.noticeProps} />
        <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
        <NativeSelect
          label="Send to"
          data={WebhookFormat.options.map((value) => ({ value, label: messages.formats[value] }))}
          {...form.getInputProps('format')}
        />
        <TextInput
          label="Address"
          description={stored}
          withAsterisk={webhook === null}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        {form.values.format === 'plain' && (
          <PasswordInput
            label="Signing key"
            description={
              webhook?.is_signed
                ? 'Leave blank to keep it'
                : 'X-Rowferry-Signature: HMAC-SHA256 of the time, a dot and the body. Blank: not signed'
            }
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the signing key' }}
            {...form.getInputProps('signing_key')}
          />
        )}
        <Checkbox.Group label="Notify about" {...form.getInputProps('kinds')}>
          <div className={classes.choices}>
            {AlarmKind.options.map((kind) => (
              <Checkbox key={kind} value={kind} label={messages.kinds[kind]} />
            ))}
          </div>
        </Checkbox.Group>
        <Checkbox.Group label="Only for (all if none)" {...form.getInputProps('categories')}>
          <div className={classes.choices}>
            {TaskCategory.options.map((category) => (
              <Checkbox key={category} value={category} label={messages.categories[category]} />
            ))}
          </div>
        </Checkbox.Group>
        <MultiSelect
          label="Of the types"
          placeholder={form.values.task_type_ids.length === 0 ? 'All types' : ''}
          searchable
          clearable
          limit={100}
          data={(types.data ?? []).map(({ id, name, task_category }) => ({
            value: String(id),
            label: `${name} (${task_category})`,
          }))}
          {...form.getInputProps('task_type_ids')}
        />
        <div className={classes.hours}>
          <TextInput label="Quiet from" placeholder="22:00" {...form.getInputProps('quiet_from')} />
          <TextInput label="Quiet until" placeholder="06:00" {...form.getInputProps('quiet_to')} />
        </div>
        <Checkbox
          label="Also notify when resolved"
          {...form.getInputProps('tells_end', { type: 'checkbox' })}
        />
        <Checkbox label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
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
