import { lazy, Suspense, useState } from 'react'
import { settingChangeMessages as messages } from '../../../contract/setting-changes/client-messages.ts'
import type { Revert } from './revert-dialog.tsx'
import classes from './setting-changes.module.css'

const ChangeList = lazy(async () => ({ default: (await import('./setting-changes.tsx')).ChangeList }))

type Props = { type: { id: number; updated_at: string }; revert: Revert }

/** Who changed which settings of a type, and the way back, loaded when it is unfolded. */
export function TypeChanges({ type, revert }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{messages.title}</summary>
      <Suspense>
        {open && <ChangeList of="ofType" id={type.id} version={type.updated_at} revert={revert} />}
      </Suspense>
    </details>
  )
}
