import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { newestKey } from '../../../tasks/log/log-cache.ts'
import { PlainCheckbox } from '../../../ui/plain-checkbox.tsx'
import { sourceTaskModel } from './model.ts'

type Props = { id: number; poll_ms: number | false; onPoll: (poll_ms: number | false) => void }

/** Reads the newest lines of a task's log, once or every five seconds. */
export function LogRefresh({ id, poll_ms, onPoll }: Props) {
  const client = useQueryClient()
  const queryKey = newestKey(keysOf(sourceTaskModel).logs(id))
  const fetching = useIsFetching({ queryKey }) > 0
  return (
    <>
      <PlainCheckbox
        label="Auto-Refresh"
        checked={poll_ms !== false}
        onChange={(on) => onPoll(on && limits.source_logs_refresh_ms)}
      />
      <Button
        variant="default"
        leftSection={<IconRefresh size={17} aria-hidden />}
        loading={fetching && poll_ms === false}
        onClick={() => client.refetchQueries({ queryKey })}
      >
        Refresh
      </Button>
    </>
  )
}
