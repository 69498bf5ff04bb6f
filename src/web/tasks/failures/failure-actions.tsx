import { ActionIcon, Button } from '@mantine/core'
import { IconEyeCheck, IconPlayerPlay, IconUserCheck, IconUserMinus } from '@tabler/icons-react'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import { type AttentionKind, MARKABLE_KINDS } from '../../../contract/pipeline/calls.ts'
import { type Failures, useActOnFailures } from './act-on-failures.ts'
import classes from './failures.module.css'
import { SnoozeMenu } from './snooze-menu.tsx'

type Props = {
  failures: Failures
  kind: AttentionKind
  /** For screen readers: what the buttons act on. */
  name: string
  /** The user works on all of them. */
  isMine: boolean
  actions?: readonly ('run' | 'claim' | 'acknowledge')[]
  /** Reads what the page shows, besides Home. */
  refetch?: () => Promise<unknown>
  /** Buttons with text; otherwise icons. */
  withText?: boolean
}

/** Actions on failed tasks, on one or on all of a cause: run again, claim, acknowledge, snooze. */
export function FailureActions({
  failures,
  kind,
  name,
  isMine,
  actions: wanted = ['run', 'claim', 'acknowledge'],
  refetch,
  withText = false,
}: Props) {
  const act = useActOnFailures(failures, refetch)
  const isMarkable = MARKABLE_KINDS.includes(kind)
  const actions = [
    {
      ...{ action: 'run' as const, text: messages.run_again, Icon: IconPlayerPlay },
      shown: kind !== 'waiting' && kind !== 'review' && wanted.includes('run'),
    },
    isMine
      ? {
          action: 'release' as const,
          text: messages.release,
          Icon: IconUserMinus,
          shown: isMarkable && wanted.includes('claim'),
        }
      : {
          action: 'claim' as const,
          text: messages.claim,
          Icon: IconUserCheck,
          shown: isMarkable && wanted.includes('claim'),
        },
    {
      ...{ action: 'acknowledge' as const, text: messages.acknowledge, Icon: IconEyeCheck },
      shown: isMarkable && wanted.includes('acknowledge'),
    },
  ]
  return (
    <span className={classes.actions}>
      {actions
        .filter(({ shown }) => shown)
        .map(({ action, text, Icon }) => {
          const common = {
            'aria-label': messages.of(text, name),
            loading: act.isPending && act.variables.action === action,
            onClick: () => act.mutate({ action }),
          }
          return withText ? (
            <Button
              key={action}
              variant="default"
              size="compact-sm"
              leftSection={<Icon size={16} aria-hidden />}
              {...common}
            >
              {text}
            </Button>
          ) : (
            <ActionIcon key={action} title={text} {...common}>
              <Icon size={18} aria-hidden />
            </ActionIcon>
          )
        })}
      {isMarkable && <SnoozeMenu name={name} onSnooze={(until) => act.mutate({ action: 'snooze', until })} />}
    </span>
  )
}
