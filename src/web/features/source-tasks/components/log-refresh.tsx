import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { logsQuery } from '../../../tasks/cache/task-queries.ts'
import { PlainCheckbox } from '../../../ui/plain-checkbox.tsx'
import { sourceTaskModel } from './model.ts'

/** Has the log of a task read again: now, or every five seconds. */
export function LogRefresh({ id }: { id: number }) {
  const [on, setOn] = useState(false)
  const { isFetching, refetch } = useQuery({
    ...logsQuery(sourceTaskModel, id),
    refetchInterval: on ? limits.source_logs_refresh_ms : false,
  })
  return (
    <>
      <PlainCheckbox label="Auto-Refresh" checked={on} onChange={setOn} />
      <Button
        variant="default"
        leftSection={<IconRefresh size={17} aria-hidden />}
        loading={isFetching && !on}
        onClick={() => refetch()}
      >
        Refresh
      </Button>
    </>
  )
}
