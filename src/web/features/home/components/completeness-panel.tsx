import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { compilerCompleteness } from '../../../../contract/completeness/calls.ts'
import { completenessMessages as messages } from '../../../../contract/completeness/client-messages.ts'
import { call } from '../../../lib/call.ts'
import classes from './completeness-panel.module.css'
import { Panel } from './panel.tsx'

/** For each target whose completeness is measured the share of complete records, and the field that most of the others lack. */
export function CompletenessPanel() {
  const { data = [] } = useQuery({
    queryKey: [compilerCompleteness.completeness.path],
    queryFn: ({ signal }) => call(compilerCompleteness.completeness, { query: {}, signal }),
    meta: { failure: messages.load_failed },
  })
  if (data.length === 0) return null
  return (
    <Panel title={messages.title}>
      <ul className={classes.targets}>
        {data.map(({ compiler_config_id, task_id, name, missing: [most], ...counts }) => (
          <li key={task_id}>
            <Link to={`/compiler/${compiler_config_id}#quality`}>{name}</Link>
            <b>{messages.percent(counts)}</b>
            {most ? (
              <Link
                to={`/compiler?${new URLSearchParams({ tab: 'data', config: String(compiler_config_id), incomplete_for: String(task_id), blank_field: most.field })}`}
              >
                {messages.lack(most.records, most.field)}
              </Link>
            ) : (
              <span>{messages.all_complete}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
