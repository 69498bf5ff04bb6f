import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { Badge } from '../../../ui/badge.tsx'
import { LongText } from './long-text.tsx'
import classes from './record-field-list.module.css'
import { cutText, type RecordField } from './record-fields.ts'

// more of them are shown when asked
const OTHERS_SHOWN = 2

type Props = { field: RecordField; is_required: boolean; is_copied: boolean; onCopy: () => void }

/** A field with its value, where that came from and what the other sources say. */
export function RecordFieldRow({ field, is_required, is_copied, onCopy }: Props) {
  const { name, value, number_format, required, error, source, others } = field
  const text = cellText(value, number_format)
  return (
    <li className={classes.field}>
      <div className={classes.name}>
        {name}
        {is_required && <small> required</small>}
      </div>
      <div className={classes.value} data-error={error || undefined}>
        {text === '' ? (
          <Badge tone={required ? 'warning' : 'light'} label="Blank" />
        ) : (
          <LongText text={text} cut={cutText(text)} />
        )}
        <div className={classes.source}>{source ? `from ${source.name}` : null}</div>
        {others.length > OTHERS_SHOWN ? (
          <details className={classes.others}>
            <summary>{others.length} other sources</summary>
            <Others others={others} />
          </details>
        ) : (
          others.length > 0 && <Others others={others} />
        )}
      </div>
      <ActionIcon aria-label={`Copy ${name}`} title="Copy" disabled={text === ''} onClick={onCopy}>
        {is_copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
      </ActionIcon>
    </li>
  )
}

const Others = ({ others }: Pick<RecordField, 'others'>) => (
  <dl className={classes.others}>
    {others.map(({ source_task_id, name, value, number_format }) => (
      <div key={source_task_id}>
        <dt>{name}:</dt>
        <dd>{cutText(cellText(value, number_format)) || 'blank'}</dd>
      </div>
    ))}
  </dl>
)
