import './ui/inter/inter.css'
import './ui/kit.css'
import './ui/theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { listenForLoginRequests } from './lib/login-request.ts'
import { createQueryClient } from './lib/query-client.ts'
import { createRouter } from './router.tsx'
import { cssVariables, theme } from './ui/theme.ts'
import { toast } from './ui/toast.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

// a page that was opened before an update asks for files that are gone; once a minute, so that it cannot go on for ever
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('rowferry.reloaded'))
  if (Date.now() - last < 60_000) return
  sessionStorage.setItem('rowferry.reloaded', String(Date.now()))
  location.reload()
})

listenForLoginRequests()
const client = createQueryClient(toast.error)
createRoot(root).render(
  <QueryClientProvider client={client}>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // the kit’s own variables are written by the provider alone, not by a stylesheet as well
      deduplicateCssVariables={false}
    >
      <RouterProvider router={createRouter(client)} />
    </MantineProvider>
  </QueryClientProvider>,
)
