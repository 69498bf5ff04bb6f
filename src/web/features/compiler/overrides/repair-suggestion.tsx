import { Button } from '@mantine/core'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import type { RecordField } from '../records/record-fields.ts'
import classes from './overrides.module.css'
import { useSetValue } from './use-set-value.ts'

type Props = { config_id: number; sku: string; field: RecordField }

/** Suggests the code with its lost leading zeros, and sets it with one press; nothing if there is none or a value has been set. */
export function RepairSuggestion({ config_id, sku, field }: Props) {
  const { name, repaired, live_override } = field
  const save = useSetValue({ config_id, sku, field })
  if (repaired === null || live_override !== null) return null
  return (
    <div className={classes.suggestion}>
      {overrideMessages.perhaps(repaired)}
      <Button
        size="compact-xs"
        variant="default"
        aria-label={overrideMessages.use_of(repaired, name)}
        loading={save.isPending}
        onClick={() =>
          save.mutate({ value: repaired, reason: overrideMessages.zeros_restored, ends_on: null })
        }
      >
        {overrideMessages.use(repaired)}
      </Button>
    </div>
  )
}
