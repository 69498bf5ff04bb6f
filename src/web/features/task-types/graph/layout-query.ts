import { queryOptions } from '@tanstack/react-query'
import type { Layout, LayoutRequest } from './layout.ts'

/** Lays out a graph in a web worker; results are cached by graph. */
export const layoutQuery = (request: LayoutRequest) =>
  queryOptions({
    queryKey: ['graph layout', request] as const,
    queryFn: ({ signal }) => layOutAside(request, signal),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: false,
  })

const start = () => new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })

// The first worker starts while the types are loading.
let waiting: Worker | null = start()

function layOutAside(request: LayoutRequest, signal: AbortSignal): Promise<Layout> {
  const worker = waiting ?? start()
  waiting = null
  const answer = new Promise<Layout>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Layout>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    signal.addEventListener('abort', () => reject(signal.reason))
    worker.postMessage(request)
  })
  return answer.finally(() => worker.terminate())
}
