import type { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { RowRequests } from './list/row-requests.ts'
import type { Detailed, RunModel, Task, TaskModel } from './task-model.ts'

/** How the shared screens show a category's tasks: its model, and the components that it adds. */
export type TaskDescriptor<T extends Task = Task, D extends Detailed<T> = Detailed<T>> = TaskModel<T, D> & {
  /** What the task does, below the name in a row. */
  RowDetail(props: { task: T }): ReactNode
  /** Content between name and status of a row. */
  RowAside(props: { task: T; className: string | undefined; requests: RowRequests }): ReactNode
  /** Takes files that are dropped on a row; without it rows take none. */
  fileDrop?: {
    /** Whether `Question` has to be shown first; it then takes them. */
    isQuestion(task: T, files: File[]): boolean
    take(task: T, files: File[], client: QueryClient): void
    Question(props: { task: T; files: File[]; onClose: () => void }): ReactNode
  }
  /** Additional items of a row's menu. */
  MenuItems(props: { task: T }): ReactNode
  /** Additional actions on a task's page. */
  PageActions?(props: { task: T }): ReactNode
  /** Adds a task whose values are those of another one. */
  DuplicateDialog(props: { task: T; onAdded: (id: number) => void; onClose: () => void }): ReactNode
  EditDialog(props: { task: T; onClose: () => void }): ReactNode
  /** Shows stored rows in a dialog on the list; without it, the menu links to their page. */
  DataDialog?(props: { task: T; onClose: () => void }): ReactNode
}

const Context = createContext<TaskDescriptor | null>(null)
const Runs = createContext<RunModel | null>(null)

/** Provides the descriptor of one category to the components below. */
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

/** Provides the run model of a category whose tasks have their own screens. */
export const DescribedRuns = (props: { as: RunModel; children: ReactNode }) => (
  <Runs value={props.as}>{props.children}</Runs>
)

/** Descriptor of the surrounding DescribedTasks. */
export function useDescriptor(): TaskDescriptor {
  const descriptor = useContext(Context)
  if (!descriptor) throw new Error('Tasks are shown outside DescribedTasks')
  return descriptor
}

/** Run model of the surrounding DescribedTasks or DescribedRuns. */
export function useRunModel(): RunModel {
  const model = useContext(Runs)
  if (!model) throw new Error('Runs are shown outside DescribedRuns')
  return model
}
