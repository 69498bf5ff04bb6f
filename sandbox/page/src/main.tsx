import '@fontsource-variable/inter/index.css'
import './style.css'
import './frame.css'
import './list.css'
import './grid.css'
import './controls.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BookScreen } from './book-screen.tsx'
import { ListScreen } from './list-screen.tsx'

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
})

// Same path as Google, so that links differ only in the root URL.
const bookId = /^\/spreadsheets\/d\/([^/]+)/.exec(location.pathname)?.[1]

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      {bookId === undefined ? <ListScreen /> : <BookScreen bookId={bookId} />}
    </QueryClientProvider>
  </StrictMode>,
)
