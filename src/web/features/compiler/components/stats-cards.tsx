import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import type { CompilerStats } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { statsQuery } from '../api.ts'
import { type RecordFilters, recordsPath } from '../records/record-filters.ts'
import classes from './stats-cards.module.css'

type Card = { label: string; tone: Tone; count: (stats: CompilerStats) => number; rows: RecordFilters }

const cards: readonly Card[] = [
  { label: 'Total Records', tone: 'info', count: ({ total_records }) => total_records, rows: {} },
  {
    label: 'Clean Records',
    tone: 'success',
    count: ({ clean_records }) => clean_records,
    rows: { has_blanks: 'false', has_errors: 'false', is_duplicate: 'false' },
  },
  {
    label: 'With Blanks',
    tone: 'warning',
    count: ({ records_with_blanks }) => records_with_blanks,
    rows: { has_blanks: 'true' },
  },
  {
    label: 'With Errors',
    tone: 'error',
    count: ({ records_with_errors }) => records_with_errors,
    rows: { has_errors: 'true' },
  },
  {
    label: 'Duplicates',
    tone: 'purple',
    count: ({ duplicate_records }) => duplicate_records,
    rows: { is_duplicate: 'true' },
  },
]

/** Record counts of a configuration; each links to the counted records. */
export function StatsCards({ config }: { config: CompilerConfig }) {
  const query = useQuery(statsQuery(config.id))
  if (query.isError)
    return <LoadError message={compilerMessages.stats_failed} onRetry={() => query.refetch()} />
  return (
    <ul
      className={classes.cards}
      aria-label={`Records of ${config.name}`}
      aria-busy={query.isPending}
      data-roving
    >
      {cards.map(({ label, tone, count, rows }) => {
        const records = query.data && count(query.data)
        return (
          <li key={label} data-empty={records === 0 || undefined}>
            <Link to={recordsPath(config.id, rows)} className={classes.card} data-tone={tone}>
              <b>{records === undefined ? '–' : formatNumber(records)}</b> {label}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
