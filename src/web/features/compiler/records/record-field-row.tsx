import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { decisionMessages } from '../../../../contract/decisions/client-messages.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { Badge } from '../../../ui/badge.tsx'
import { FieldOverride } from '../overrides/field-override.tsx'
import { RepairSuggestion } from '../overrides/repair-suggestion.tsx'
import { SetValue } from '../overrides/set-value.tsx'
import { cutText } from './cut-text.ts'
import { LongText } from './long-text.tsx'
import classes from './record-field-list.module.css'
import type { RecordField } from './record-fields.ts'
import { ReplaceValue } from './replace-value.tsx'

// others are shown on request
const OTHERS_SHOWN = 2

type Props = {
  field: RecordField
  config_id: number
  sku: string
  /** Where its value comes from. */
  lineage: string
  is_required: boolean
  is_copied: boolean
  onCopy: () => void
}

/** A field: its value, the source of the value, and the values of other sources. */
export function RecordFieldRow({ config_id, sku, field, lineage, is_required, is_copied, onCopy }: Props) {
  const { name, value, number_format, required, error, source, others, raw, failures } = field
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
        {failures.map((failure) => (
          <div key={failure} className={classes.failure}>
            {failure}
          </div>
        ))}
        <RepairSuggestion config_id={config_id} sku={sku} field={field} />
        {raw && (
          <div className={classes.source}>
            {compilerMessages.raw(cutText(cellText(raw.value, raw.number_format)))}
          </div>
        )}
        <FieldOverride config_id={config_id} sku={sku} field={field} />
        {source && !field.override && (
          <div className={classes.source}>
            from <Link to={lineage}>{source.name}</Link>
          </div>
        )}
        {field.decision && (
          <div className={classes.source}>
            {decisionMessages.by_rule(cutText(field.decision.sentence), field.decision.author)}
          </div>
        )}
        {others.length > OTHERS_SHOWN ? (
          <details className={classes.others}>
            <summary>{others.length} other sources</summary>
            <Others others={others} />
          </details>
        ) : (
          others.length > 0 && <Others others={others} />
        )}
      </div>
      <span className={classes.actions}>
        <SetValue config_id={config_id} sku={sku} field={field} />
        <ReplaceValue config_id={config_id} field={name} value={value === null ? '' : String(value)} />
        <ActionIcon aria-label={`Copy ${name}`} title="Copy" disabled={text === ''} onClick={onCopy}>
          {is_copied ? <IconCheck size={17} /> : <IconCopy size={17} />}
        </ActionIcon>
      </span>
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
