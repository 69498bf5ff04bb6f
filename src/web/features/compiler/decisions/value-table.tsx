import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { decisionMessages as messages } from '../../../../contract/decisions/client-messages.ts'
import type { Disagreement } from '../../../../contract/decisions/decisions.ts'
import { formatNumber } from '../../../lib/format.ts'
import { CardTable } from '../../../ui/card-table.tsx'
import { cutText } from '../records/cut-text.ts'
import { recordsPath } from '../records/record-filters.ts'
import classes from './decisions.module.css'
import { useDecide } from './use-decide.ts'

type Props = { config_id: number; disagreements: readonly Disagreement[] }

/** Different values that sources have for one field, each with a button that makes it the rule. */
export function ValueTable({ config_id, disagreements }: Props) {
  return (
    <CardTable
      label={messages.title}
      rows={disagreements}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Field', cell: ({ field }) => field },
        {
          label: 'Records',
          place: 'end',
          cell: ({ id, records }) => (
            <Link className={classes.count} to={recordsPath(config_id, { disagreement: String(id) })}>
              {formatNumber(records)}
            </Link>
          ),
        },
        {
          label: 'Values',
          place: 'wide',
          cell: (disagreement) => <Options config_id={config_id} disagreement={disagreement} />,
        },
        {
          label: 'Examples',
          cell: ({ skus }) => (
            <span className={classes.note}>{skus.map((sku) => cutText(sku)).join(', ')}</span>
          ),
        },
      ]}
    />
  )
}

function Options({
  config_id,
  disagreement: { field, options, group, decision },
}: {
  config_id: number
  disagreement: Disagreement
}) {
  const decide = useDecide(config_id)
  const texts = options.map(({ text }) => text)
  return (
    <>
      <ul className={classes.options}>
        {options.map(({ text, sources, wins }) => {
          const isChosen = decision !== null && decision.text === text
          return (
            <li key={text}>
              {group ? (
                <strong>{cutText(text)}</strong>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={messages.use(text, field)}
                  aria-pressed={isChosen}
                  leftSection={isChosen ? <IconCheck size={15} aria-hidden /> : undefined}
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ decide: { values: [{ field, texts, text }] } })}
                >
                  {cutText(text)}
                </Button>
              )}
              <span className={classes.note}>
                {sources.map(({ name }) => name).join(', ')}
                {wins > 0 && ` · ${messages.used_now(wins)}`}
              </span>
            </li>
          )
        })}
      </ul>
      {group && <div className={classes.note}>{messages.grouped(group)}</div>}
      {decision && <div className={classes.note}>{messages.by_rule(decision.sentence, decision.author)}</div>}
    </>
  )
}
