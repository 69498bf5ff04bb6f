import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { overrideMessages as messages } from '../../../../contract/overrides/client-messages.ts'
import classes from './overrides.module.css'
import type { FilteredOverrides } from './overrides-query.ts'

const DecideAllDialog = lazy(async () => ({
  default: (await import('./decide-all-dialog.tsx')).DecideAllDialog,
}))

/** Buttons that keep or drop all overrides that match the filters, after a confirmation. */
export function DecideAll(props: FilteredOverrides) {
  const [decision, setDecision] = useState<'keep' | 'drop' | null>(null)
  const { filters, total } = props
  return (
    <div className={`${classes.decisions} ${classes.all}`}>
      {filters.state === 'review' && (
        <Button size="xs" variant="default" onClick={() => setDecision('keep')}>
          {messages.keep_all(total)}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setDecision('drop')}>
        {messages.drop_all(total)}
      </Button>
      {decision !== null && (
        <Suspense>
          <DecideAllDialog {...props} decision={decision} onClose={() => setDecision(null)} />
        </Suspense>
      )}
    </div>
  )
}
