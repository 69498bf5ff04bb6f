import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'

/** Properties of a row that takes dropped files, if its category does. `data-over`: files are above it. */
export function useFileDrop(task: Task) {
  const { onDropFiles } = useDescriptor()
  const client = useQueryClient()
  const [over, setOver] = useState(false)
  if (!onDropFiles) return {}
  return {
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
      onDropFiles(task, [...event.dataTransfer.files], client)
    },
  }
}
