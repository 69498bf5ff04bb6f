import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Navigate } from 'react-router'
import { usePathId } from '../../lib/path-id.ts'
import { LoadingRows } from '../../ui/states.tsx'
import { sourceTypeQuery } from './api.ts'
import { LIST_PATH } from './components/type-paths.ts'

const SourceFormPage = lazy(async () => ({
  default: (await import('./form/source-form-page.tsx')).SourceFormPage,
}))

const loading = <LoadingRows label="Loading the task type" />

export const NewSourceTaskTypeScreen = () => (
  <Suspense fallback={loading}>
    <SourceFormPage type={null} />
  </Suspense>
)

/** Edits a source task type; redirects to the list if it cannot be loaded. */
export function EditSourceTaskTypeScreen() {
  const id = usePathId() ?? 0
  const { data, isError } = useQuery(sourceTypeQuery(id))
  if (isError && !data) return <Navigate to={LIST_PATH} replace />
  if (!data || data.id !== id) return loading
  return (
    <Suspense fallback={loading}>
      <SourceFormPage key={id} type={data} />
    </Suspense>
  )
}
