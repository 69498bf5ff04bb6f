import { Link } from 'react-router'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { TaskModel } from '../task-model.ts'

/** Link from the pages of a task to its list. */
export const backToList = ({ path, texts }: TaskModel) => ({ to: path, label: `Back to ${texts.many}` })

/** Shown if a task does not exist or the URL has no valid id. */
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
