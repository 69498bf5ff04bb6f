import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { TaskType } from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { formatCount } from '../../lib/format.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { syncTypes } from './api.ts'
import { TypeFileButtons } from './files/type-files.tsx'
import { GraphButton } from './graph/graph-button.tsx'
import { TypeMarks } from './list/type-marks.tsx'
import { TypeTable } from './list/type-table.tsx'
import { useTypeNodes } from './list/use-type-nodes.ts'
import { useTypeOrder } from './list/use-type-order.ts'

const TypeDialog = lazy(async () => ({ default: (await import('./components/type-dialog.tsx')).TypeDialog }))

const DeleteTypeDialog = lazy(async () => ({
  default: (await import('./components/delete-type-dialog.tsx')).DeleteTypeDialog,
}))

const RecentTypeJobs = lazy(async () => ({
  default: (await import('./files/recent-type-jobs.tsx')).RecentTypeJobs,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; type: TaskType }

/** Sync task types: concurrency, retries and dependencies. */
export function SyncTaskTypesScreen() {
  const query = useQuery(syncTypes.query)
  const [open, setOpen] = useState<Open | null>(null)
  const add = () => setOpen({ kind: 'add' })
  const close = () => setOpen(null)
  const types = query.data ?? []
  const reorder = useTypeOrder(syncTypes)
  const nodes = useTypeNodes()
  return (
    <>
      <PageHeader title="Sync Task Types" subtitle={query.data && formatCount(types.length, 'type')}>
        <GraphButton />
        <TypeFileButtons />
        <AddButton blocked={open !== null} onAdd={add}>
          Add Type
        </AddButton>
      </PageHeader>
      {query.isError && <LoadError message={syncTypes.labels.fetch_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label="Loading sync task types" />}
      {query.data?.length === 0 && (
        <EmptyState
          title={taskTypeMessages.no_sync_task_types}
          hint={taskTypeMessages.no_sync_task_types_hint}
        >
          <Button onClick={add}>Add Type</Button>
        </EmptyState>
      )}
      {types.length > 0 && (
        <TypeTable
          label="Sync task types"
          types={types}
          numbers={syncTypes.numbers}
          marks={(type) => <TypeMarks type={type} node={nodes.get(type.id)} />}
          onEdit={(type) => setOpen({ kind: 'edit', type })}
          onDelete={(type) => setOpen({ kind: 'delete', type })}
          onReorder={reorder}
        />
      )}
      <Suspense>
        <RecentTypeJobs />
      </Suspense>
      <Suspense>
        {open?.kind === 'delete' && <DeleteTypeDialog api={syncTypes} type={open.type} onClose={close} />}
        {open?.kind === 'add' && <TypeDialog api={syncTypes} type={null} onClose={close} />}
        {open?.kind === 'edit' && <TypeDialog api={syncTypes} type={open.type} onClose={close} />}
      </Suspense>
    </>
  )
}
