import { Button } from '@mantine/core'
import { IconChevronDown, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { heldBack } from '../../../ui/held-back.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import classes from './compile-button.module.css'
import { statusOf } from './compile-states.ts'
import { useCompile, useStopCompile } from './use-compile.ts'

const CompileMenuItems = lazy(async () => ({
  default: (await import('./compile-menu-items.tsx')).CompileMenuItems,
}))

type Props = { config: CompilerConfig; state: TaskState | undefined; size?: 'sm' | 'xs' }

/** Compiles a configuration; stops its compile while one is under way. */
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
        {...heldBack(can_stop ? null : taskMessages.locked_stopping, stop.mutate)}
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
        {...heldBack(config.is_active ? null : taskMessages.locked_inactive, () => compile.mutate(true))}
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
