import '@fontsource-variable/inter/wght.css'
import './ui/kit.css'
import './ui/theme.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { createQueryClient } from './lib/query-client.ts'
import { createRouter } from './router.tsx'
import { cssVariables, theme } from './ui/theme.ts'
import { toast } from './ui/toast.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

const client = createQueryClient(toast.error)
createRoot(root).render(
  <QueryClientProvider client={client}>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <RouterProvider router={createRouter(client)} />
    </MantineProvider>
  </QueryClientProvider>,
)
