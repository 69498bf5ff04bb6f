import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { completePercent, type TargetCompleteness } from '../../../../contract/completeness/calls.ts'
import { completenessMessages as messages } from '../../../../contract/completeness/client-messages.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { recordsPath } from '../records/record-filters.ts'
import { completenessQuery } from './completeness-query.ts'
import classes from './quality.module.css'

// further fields are behind the count of incomplete records
const FIELDS_SHOWN = 5

/** How many records are complete for each target, and what the others lack. */
export function CompletenessSection({ config_id }: { config_id: number }) {
  const query = useQuery(completenessQuery(config_id))
  if (query.isError) return <LoadError message={messages.load_failed} onRetry={() => query.refetch()} />
  if (!query.data || query.data.length === 0) return null
  return (
    <>
      <h3 className={classes.heading}>{messages.title}</h3>
      <CardTable
        label={messages.title}
        rows={query.data}
        keyOf={({ task_id }) => task_id}
        columns={[
          {
            label: 'Target',
            cell: ({ task_id, name, only_complete }) => (
              <>
                <Link className={classes.count} to={`/sync_tasks/${task_id}`}>
                  {name}
                </Link>
                {only_complete && <div className={classes.small}>{messages.only_complete}</div>}
              </>
            ),
          },
          { label: 'Complete', place: 'end', cell: (target) => messages.percent(target) },
          { label: 'Missing', cell: (target) => <Missing target={target} /> },
          { label: 'Last compiles', cell: ({ trend }) => trendText(trend) },
        ]}
      />
    </>
  )
}

function Missing({ target }: { target: TargetCompleteness }) {
  const { compiler_config_id, task_id, records, complete, missing } = target
  if (records === complete) return messages.all_complete
  return (
    <span className={classes.sources}>
      <Link
        className={classes.count}
        to={recordsPath(compiler_config_id, { incomplete_for: String(task_id) })}
      >
        {messages.incomplete(records - complete)}
      </Link>
      {missing.slice(0, FIELDS_SHOWN).map(({ field, records: count }) => (
        <Link
          key={field}
          className={classes.count}
          to={recordsPath(compiler_config_id, { incomplete_for: String(task_id), blank_field: field })}
        >
          {messages.lack(count, field)}
        </Link>
      ))}
    </span>
  )
}

function trendText(trend: TargetCompleteness['trend']): string {
  const [first, last] = [trend[0], trend.at(-1)]
  if (!first || !last) return ''
  return messages.trend(completePercent(first), completePercent(last), trend.length)
}
