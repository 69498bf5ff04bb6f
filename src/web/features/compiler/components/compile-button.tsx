import { Button } from '@mantine/core'
import { IconChevronDown, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { disabledWithReason } from '../../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import classes from './compile-button.module.css'
import { statusOf } from './compile-states.ts'
import { useCompile, useStopCompile } from './use-compile.ts'

const CompileMenuItems = lazy(async () => ({
  default: (await import('./compile-menu-items.tsx')).CompileMenuItems,
}))

type Props = { config: CompilerConfig; state: TaskState | undefined; size?: 'sm' | 'xs' }

/** Starts a compile of a configuration, or stops the one that is running. */
export function CompileButton({ config, state, size = 'sm' }: Props) {
  const compile = useCompile(config)
  const stop = useStopCompile(config)
  const { is_live, can_stop } = statusOf(state)
  if (is_live)
    return (
      <Button
        size={size}
        variant="default"
        aria-label={`Stop the compile of ${config.name}`}
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        loading={stop.isPending}
        {...disabledWithReason(can_stop ? null : taskMessages.locked_stopping, stop.mutate)}
      >
        Stop
      </Button>
    )
  return (
    <span className={classes.ways}>
      <Button
        size={size}
        variant={size === 'xs' ? 'default' : 'filled'}
        aria-label={`Compile ${config.name}`}
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={compile.isPending}
        {...disabledWithReason(config.is_active ? null : taskMessages.locked_inactive, () =>
          compile.mutate(true),
        )}
      >
        Compile
      </Button>
      <MenuButton
        variant="default"
        size={size === 'xs' ? 30 : 36}
        label={`Other ways to compile ${config.name}`}
        disabled={!config.is_active || compile.isPending}
        items={<CompileMenuItems onCompileNew={() => compile.mutate(false)} />}
      >
        <IconChevronDown size={17} />
      </MenuButton>
    </span>
  )
}
