import { createContext, type ReactNode, useContext } from 'react'
import type { RowRequests } from './list/row-requests.ts'
import type { Detailed, RunModel, Task, TaskModel } from './task-model.ts'

/** A category's tasks as the shared screens show them: its model, and the parts that it adds. */
export type TaskDescriptor<T extends Task = Task, D extends Detailed<T> = Detailed<T>> = TaskModel<T, D> & {
  /** Beneath the name of a row: what the task does. */
  RowDetail(props: { task: T }): ReactNode
  /** Between name and status of a row. */
  RowAside(props: { task: T; className: string | undefined; requests: RowRequests }): ReactNode
  /** What else a row's menu offers. */
  MenuItems(props: { task: T }): ReactNode
  EditDialog(props: { task: T; onClose: () => void }): ReactNode
  /** Shows stored rows without leaving the list; without it a menu leads to their page. */
  DataDialog?(props: { task: T; onClose: () => void }): ReactNode
}

const Context = createContext<TaskDescriptor | null>(null)
const Runs = createContext<RunModel | null>(null)

/** Shows tasks of one category: all below is driven by its descriptor. */
export function DescribedTasks<T extends Task, D extends Detailed<T>>(props: {
  as: TaskDescriptor<T, D>
  children: ReactNode
}) {
  return (
    <Context value={props.as}>
      <DescribedRuns as={props.as}>{props.children}</DescribedRuns>
    </Context>
  )
}

/** Shows runs of one category where its tasks have a screen of their own. */
export const DescribedRuns = (props: { as: RunModel; children: ReactNode }) => (
  <Runs value={props.as}>{props.children}</Runs>
)

/** The descriptor of the tasks that are shown here. */
export function useDescriptor(): TaskDescriptor {
  const descriptor = useContext(Context)
  if (!descriptor) throw new Error('Tasks are shown outside DescribedTasks')
  return descriptor
}

/** What is known of the category whose runs are shown here. */
export function useRunModel(): RunModel {
  const model = useContext(Runs)
  if (!model) throw new Error('Runs are shown outside DescribedRuns')
  return model
}
