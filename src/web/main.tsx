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

// A page opened before an update requests files that no longer exist, so it reloads: at most once a minute, to prevent a loop.
window.addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem('rowferry.reloaded'))
  if (Date.now() - last < 60_000) return
  sessionStorage.setItem('rowferry.reloaded', String(Date.now()))
  location.reload()
})

listenForLoginRequests()
// Not needed before the first key, so it is no part of the first load.
void import('./ui/roving.ts').then(({ startRoving }) => startRoving())
const client = createQueryClient(toast.error)
createRoot(root).render(
  <QueryClientProvider client={client}>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      // Mantine's variables are written only by the provider, not also by a style sheet.
      deduplicateCssVariables={false}
    >
      <RouterProvider router={createRouter(client)} />
    </MantineProvider>
  </QueryClientProvider>,
)
