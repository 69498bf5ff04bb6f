import { Alert, Button, Group } from '@mantine/core'
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import { frameMessages } from '../../contract/system/client-messages.ts'

type Props = {
  /** Why the form was not saved; null if it was or has not been submitted. */
  problem: string | null
  /** Additional information. */
  notice: string | null
  /** Set after a conflicting change by another user: reloads the object. */
  onLoadAgain: (() => void) | null
  /** Set if the object was deleted meanwhile: turns the form into one that adds a new object. */
  onSaveAsNew?: (() => void) | null
}

/** Messages above the fields of a form. */
export function FormNotice({ problem, notice, onLoadAgain, onSaveAsNew }: Props) {
  if (problem)
    return (
      <Alert role="alert" color="red" icon={<IconAlertCircle />} mb={14}>
        <Group gap={10} justify="space-between">
          {problem}
          {onLoadAgain && (
            <Button size="compact-sm" variant="default" onClick={onLoadAgain}>
              Load again
            </Button>
          )}
          {onSaveAsNew && (
            <Button size="compact-sm" variant="default" onClick={onSaveAsNew}>
              {frameMessages.save_as_new}
            </Button>
          )}
        </Group>
      </Alert>
    )
  if (!notice) return null
  return (
    <Alert role="status" color="indigo" icon={<IconInfoCircle />} mb={14}>
      {notice}
    </Alert>
  )
}
