import { Loader } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
  IconWand,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { ConnectionTest } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { describeFileFormat } from '../../../../contract/connections/file-formats.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import type { ConnectionValues } from './connection-form.ts'
import { Exchanges } from './exchanges.tsx'
import { filledLabels } from './filled-labels.ts'
import classes from './test-result.module.css'
import { TestRows } from './test-rows.tsx'

type Props = {
  pending: boolean
  error: Error | null
  result: ConnectionTest | null
  /** Values that the test filled in. */
  filled: Partial<ConnectionValues>
  /** The form has changed since the test. */
  is_outdated: boolean
  /** A button that can fix the error. */
  action: ReactNode
}

/** Result of a connection test: rows, column types, requests and replies. */
export function TestResult({ pending, error, result, filled, is_outdated, action }: Props) {
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const done = pending ? null : (result ?? error)
  // On a phone the result is below the form.
  useEffect(() => {
    const top = section.current?.getBoundingClientRect().top ?? 0
    if (done && (top < 0 || top > window.innerHeight / 2)) section.current?.scrollIntoView()
  }, [done])
  return (
    <section ref={section} className={classes.result} aria-labelledby={id} aria-busy={pending}>
      <h2 id={id}>{connectionMessages.test}</h2>
      <div role="status" className={classes.state}>
        {pending && (
          <p className={classes.pending}>
            <Loader size="xs" /> {connectionMessages.testing}
          </p>
        )}
        {!pending && error && (
          <Note tone="error">
            {reasonOf(error, connectionMessages.test_failed)} {action}
          </Note>
        )}
        {!pending && !error && !result && <p className={classes.hint}>{connectionMessages.test_hint}</p>}
        {!pending && !error && result && <Found result={result} filled={filled} is_outdated={is_outdated} />}
      </div>
      {!pending && !error && result && (
        <>
          <TestRows result={result} />
          <Exchanges exchanges={result.exchanges} open={!result.ok} />
        </>
      )}
    </section>
  )
}

function Found({
  result,
  filled,
  is_outdated,
}: Pick<Props, 'filled' | 'is_outdated'> & { result: ConnectionTest }) {
  const labels = filledLabels(filled)
  return (
    <>
      <Note tone={result.ok ? 'success' : 'error'}>
        {result.message}
        {result.total !== null && ` ${connectionMessages.total(result.total)}`}
      </Note>
      {result.file_format && <Note tone="info">{describeFileFormat(result.file_format)}.</Note>}
      {labels.length > 0 && (
        <Note tone="guess">
          {connectionMessages.filled_in(labels.join(', '))} {result.guess?.reason}
        </Note>
      )}
      {result.warnings.map((warning) => (
        <Note key={warning} tone="warning">
          {warning}
        </Note>
      ))}
      {is_outdated && <p className={classes.hint}>{connectionMessages.not_up_to_date}</p>}
    </>
  )
}

const icons = {
  success: IconCircleCheck,
  error: IconCircleX,
  info: IconInfoCircle,
  guess: IconWand,
  warning: IconAlertTriangle,
}

function Note({ tone, children }: { tone: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={classes.note} data-tone={tone}>
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </div>
  )
}
