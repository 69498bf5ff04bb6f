import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { WrittenCell } from '../../../../contract/lineage/calls.ts'
import { lineageMessages as messages } from '../../../../contract/lineage/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { type Asked, checkCell } from '../api.ts'
import classes from './lineage.module.css'
import { RunLink, TaskLink } from './links.tsx'

type Props = { written: WrittenCell; asked: Asked; link: string | null }

/** A cell of a target: its value, the run that wrote it, and since when it stands there. */
export function WrittenCard({ written, asked, link }: Props) {
  const { state, text, value, number_format, run, since, task } = written
  const isWritten = state === 'value' || state === 'header'
  return (
    <section className={classes.card} aria-label={messages.target}>
      <h3>{messages.target}</h3>
      {isWritten && <Value text={cellText(value, number_format)} />}
      {!isWritten && <p>{text}</p>}
      <dl className={classes.facts}>
        <dt>{messages.task}</dt>
        <dd>
          <TaskLink task={task} />
        </dd>
        {isWritten && (
          <>
            {run && (
              <>
                <dt>{messages.last_run}</dt>
                <dd>
                  <RunLink run={run} />
                </dd>
              </>
            )}
            {since && (
              <>
                <dt>{since.is_exact ? messages.since : messages.since_least}</dt>
                <dd>
                  <RunLink run={{ id: since.run_id, at: since.at }} />.{' '}
                  <span className={classes.muted}>{formerText(since, number_format)}</span>
                </dd>
              </>
            )}
          </>
        )}
      </dl>
      {isWritten && link !== null && <Check asked={asked} />}
    </section>
  )
}

const Value = ({ text }: { text: string }) => (
  <p className={classes.value} data-blank={text === '' || undefined}>
    {text || messages.blank}
  </p>
)

function formerText(
  { is_exact, former }: NonNullable<WrittenCell['since']>,
  number_format: WrittenCell['number_format'],
): string {
  if (!is_exact) return messages.since_least_hint
  return former === null ? messages.former_blank : messages.former(`“${cellText(former, number_format)}”`)
}

/** Reads the cell from its spreadsheet, on request. */
function Check({ asked }: { asked: Asked }) {
  const check = useMutation({ mutationFn: () => checkCell(asked) })
  const edited = check.data?.written?.edited
  return (
    <div className={classes.check}>
      <Button
        variant="default"
        size="xs"
        aria-description={messages.check_hint}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        {messages.check}
      </Button>
      <p role="status" data-edited={edited?.is_edited ?? undefined}>
        {check.isError ? reasonOf(check.error, messages.check_failed) : edited?.text}
      </p>
    </div>
  )
}
