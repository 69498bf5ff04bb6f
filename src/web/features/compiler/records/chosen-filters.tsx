import { IconX } from '@tabler/icons-react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import classes from './chosen-filters.module.css'
import { chosenFilters } from './filter-labels.ts'
import type { RecordFilters } from './record-filters.ts'

type Props = {
  config: CompilerConfig
  filters: RecordFilters
  onChange: (filters: RecordFilters) => void
}

/** Active filters that have no control of their own, each with a button that removes it. */
export function ChosenFilters({ config, filters, onChange }: Props) {
  const chosen = chosenFilters(filters, config)
  if (chosen.length === 0) return null
  return (
    <ul className={classes.chosen} aria-label="Chosen filters">
      {chosen.map(({ labels, without }) => (
        <li key={labels}>
          {labels}
          <button type="button" aria-label={`Remove filter: ${labels}`} onClick={() => onChange(without)}>
            <IconX size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
