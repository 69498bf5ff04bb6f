import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, Suspense, useState } from 'react'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'

/**
 * Properties of a row that takes dropped files, if its category does, and the question that is asked before. `data-over`: files are
 * above it.
 */
export function useFileDrop(task: Task) {
  const { fileDrop } = useDescriptor()
  const client = useQueryClient()
  const [over, setOver] = useState(false)
  const [asked, setAsked] = useState<File[] | null>(null)
  if (!fileDrop) return { props: {}, question: null }
  const props = {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      // dragleave also fires when the pointer enters a child.
      if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
      setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const files = [...event.dataTransfer.files]
      if (fileDrop.isQuestion(task, files)) setAsked(files)
      else fileDrop.take(task, files, client)
    },
  }
  const question = asked && (
    <Suspense>
      <fileDrop.Question task={task} files={asked} onClose={() => setAsked(null)} />
    </Suspense>
  )
  return { props, question }
}
