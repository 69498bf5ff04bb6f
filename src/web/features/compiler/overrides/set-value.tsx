import { ActionIcon, Popover } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { typedValue } from '../../../../contract/overrides/overrides.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import type { RecordField } from '../records/record-fields.ts'
import { useSetValue } from './use-set-value.ts'
import { ValueForm } from './value-form.tsx'

type Props = { config_id: number; sku: string; field: RecordField }

/** Button that sets the value of a field of one record. */
export function SetValue({ config_id, sku, field }: Props) {
  const { name, value, number_format, raw, others, live_override } = field
  const [opened, setOpened] = useState(false)
  const save = useSetValue({ config_id, sku, field }, () => setOpened(false))
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
          onSubmit={({ value: typed, ...rest }) =>
            save.mutate({
              value: typedValue(typed, [{ value, number_format }, ...(raw ? [raw] : []), ...others]),
              ...rest,
            })
          }
        />
      </Popover.Dropdown>
    </Popover>
  )
}
