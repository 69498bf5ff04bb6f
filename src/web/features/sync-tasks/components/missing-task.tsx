import { Link } from 'react-router'
import { messages } from '../../../../contract/messages.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { EmptyState } from '../../../ui/states.tsx'

/** Where a page of a task leads back to. */
export const back = { to: '/sync_tasks', label: 'Back to Sync Tasks' }

/** In place of a page about a task that does not exist, or whose address names none. */
export function MissingTask({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} back={back} />
      <EmptyState title={messages.sync_task_not_found}>
        <Link to={back.to}>{back.label}</Link>
      </EmptyState>
    </>
  )
}
