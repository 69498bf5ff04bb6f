import { Button } from '@mantine/core'
import { IconDots, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy } from 'react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { heldBack } from '../../ui/held-back.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import classes from './bulk-bar.module.css'
import { useBulkQuestions } from './bulk-questions.tsx'
import { type Selection, selectionRefusal } from './bulk-rules.ts'

const BulkMenuItems = lazy(async () => ({ default: (await import('./bulk-menu-items.tsx')).BulkMenuItems }))

const LOADING: Selection = { tasks: [], filtered: false }

/** What can be done with all tasks at once, or with those alone that the filters show. Waits for the tasks: they decide what is asked. */
export function BulkBar({ selection = LOADING }: { selection: Selection | undefined }) {
  const questions = useBulkQuestions(selection)
  const { tasks, filtered } = selection
  const why = selectionRefusal(selection)
  const loading = selection === LOADING
  const title = filtered && why === null ? bulkMessages.of_filter(tasks.length) : undefined
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        title={title}
        disabled={loading}
        loading={questions.isRunPending}
        {...heldBack(why, questions.run)}
      >
        {filtered ? bulkMessages.button('run', tasks.length) : 'Run All'}
      </Button>
      <Button
        variant="default"
        className={classes.wide}
        leftSection={<IconPlayerStop size={17} aria-hidden />}
        title={title}
        disabled={loading}
        {...heldBack(why, questions.stop)}
      >
        {filtered ? bulkMessages.button('stop', tasks.length) : 'Stop All'}
      </Button>
      <MenuButton
        label={filtered ? 'Actions for the tasks shown' : 'Actions for all tasks'}
        variant="default"
        size={36}
        disabled={loading}
        items={<BulkMenuItems selection={selection} questions={questions} />}
      >
        <IconDots size={18} />
      </MenuButton>
      {questions.dialogs}
    </>
  )
}
