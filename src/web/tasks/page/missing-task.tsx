import { Link } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { TaskModel } from '../task-model.ts'

/** Where a page of a task leads back to. */
export const backToList = ({ path, texts }: TaskModel) => ({ to: path, label: `Back to ${texts.many}` })

/** In place of a page about a task that does not exist, or whose address names none. */
export function MissingTask({ title }: { title: string }) {
  const descriptor = useDescriptor()
  const back = backToList(descriptor)
  return (
    <>
      <PageHeader title={title} back={back} />
      <EmptyState title={descriptor.texts.not_found}>
        <Link to={back.to}>{back.label}</Link>
      </EmptyState>
    </>
  )
}
