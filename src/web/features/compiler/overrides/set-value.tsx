import { ActionIcon, Popover } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { typedValue } from '../../../../contract/overrides/overrides.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { toast } from '../../../ui/toast.ts'
import { recordsChanged } from '../api.ts'
import type { RecordField } from '../records/record-fields.ts'
import { undoableToast } from './undo-overrides.ts'
import { type TypedValue, ValueForm } from './value-form.tsx'

type Props = { config_id: number; sku: string; field: RecordField }

/** Button that sets the value of a field of one record. */
export function SetValue({ config_id, sku, field }: Props) {
  const { name, value, number_format, raw, others, live_override } = field
  const client = useQueryClient()
  const [opened, setOpened] = useState(false)
  const save = useMutation({
    mutationFn: ({ value: typed, ...rest }: TypedValue) =>
      call(compilerOverrides.set, {
        params: { id: config_id },
        body: {
          values: [
            {
              ...{ sku, field: name },
              value: typedValue(typed, [{ value, number_format }, ...(raw ? [raw] : []), ...others]),
              replaces: live_override?.id ?? null,
            },
          ],
          ...rest,
        },
      }),
    onSuccess: ({ batch }) => {
      undoableToast(client, { config_id, batch, message: overrideMessages.saved(name) })
      setOpened(false)
    },
    onError: (error) => toast.error(reasonOf(error, overrideMessages.save_failed)),
    onSettled: () => recordsChanged(client, config_id),
  })
  const label = overrideMessages.set_value(name)
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-end" trapFocus withArrow>
      <Popover.Target>
        <ActionIcon aria-label={label} title={label} onClick={() => setOpened(!opened)}>
          <IconPencil size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <ValueForm
          initial={{
            value: cellText(live_override ? live_override.value : value, number_format),
            reason: live_override?.reason ?? '',
            ends_on: live_override?.ends_on ?? null,
          }}
          label="Set value"
          busy={save.isPending}
          onSubmit={save.mutate}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
