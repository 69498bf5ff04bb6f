import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import classes from './record-field-list.module.css'
import { cutText, type RecordField, valueText } from './record-fields.ts'

// more of them are shown when asked
const OTHERS_SHOWN = 2

type Props = { field: RecordField; is_required: boolean; is_copied: boolean; onCopy: () => void }

/** A field with its value, where that came from and what the other sources say. */
export function RecordFieldRow({ field, is_required, is_copied, onCopy }: Props) {
  const { name, value, required, error, source, others } = field
  const text = valueText(value)
  return (
    <li className={classes.field}>
      <div className={classes.name}>
        {name}
        {is_required && <small> required</small>}
      </div>
      <div className={classes.value} data-error={error || undefined}>
        {text === '' ? <Badge tone={required ? 'warning' : 'light'} label="Blank" /> : <Long text={text} />}
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
    {others.map((other) => (
      <div key={other.source_task_id}>
        <dt>{other.name}:</dt>
        <dd>{valueText(other.value) === '' ? 'blank' : cutText(valueText(other.value))}</dd>
      </div>
    ))}
  </dl>
)

function Long({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const cut = cutText(text)
  if (cut === text) return text
  return (
    <>
      {whole ? text : cut}{' '}
      <button type="button" className={classes.more} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : 'Show all'}
      </button>
    </>
  )
}
