import type { CompiledRecord } from '../../../../contract/compiler/records.ts'
import { Badge } from '../../../ui/badge.tsx'
import { flagsOf } from './record-fields.ts'
import classes from './record-flags.module.css'

export const RecordFlags = ({
  record,
}: {
  record: Parameters<typeof flagsOf>[0] & Pick<CompiledRecord, 'validation_notes'>
}) => (
  <span className={classes.flags} title={record.validation_notes || undefined}>
    {flagsOf(record).map(({ label, tone }) => (
      <Badge key={label} tone={tone} label={label} />
    ))}
  </span>
)
