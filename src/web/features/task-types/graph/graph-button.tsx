import { Button } from '@mantine/core'
import { IconSitemap } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'

const DependencyGraphDialog = lazy(async () => ({
  default: (await import('./graph-dialog.tsx')).DependencyGraphDialog,
}))

/** Opens the dependency graph of one or all categories. Open state and view are in the URL. */
export function GraphButton({ category }: { category?: TaskCategory }) {
  const [params, setParams] = useSearchParams()
  const view = params.get('graph')
  const show = (graph: string | null) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (graph === null) after.delete('graph')
        else after.set('graph', graph)
        return after
      },
      { replace: view !== null },
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconSitemap size={17} aria-hidden />}
        onClick={() => show('picture')}
      >
        Graph
      </Button>
      {view !== null && (
        <Suspense>
          <DependencyGraphDialog
            {...(category && { category })}
            view={view === 'list' ? 'list' : 'picture'}
            onView={show}
            onClose={() => show(null)}
          />
        </Suspense>
      )}
    </>
  )
}
