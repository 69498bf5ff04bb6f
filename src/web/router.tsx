import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { createBrowserRouter, Outlet, type RouteObject, redirect, useRouteError } from 'react-router'
import { frameMessages } from '../contract/system/client-messages.ts'

import { Login } from './features/auth/components/login.tsx'
import { UserMenu } from './features/auth/components/user-menu.tsx'
import { HelpLink } from './features/help/components/help-link.tsx'
import { NotFoundScreen } from './features/not-found/not-found-screen.tsx'
import { SearchButton } from './features/search/components/search-button.tsx'
import { clearSavedPath, requestLogin, savedPath } from './lib/login-request.ts'
import { mainScreens } from './lib/screens.ts'
import { isSignedIn, isSignedInAtStart, useSession } from './lib/session.ts'
import { useActivity } from './lib/use-activity.ts'
import { Announcer } from './ui/announcer.tsx'
import { AppShell } from './ui/app-shell.tsx'
import { Banner } from './ui/banner.tsx'
import { LeaveGuard } from './ui/leave-guard.tsx'
import { OutageBanner } from './ui/outage-banner.tsx'
import { LoadError, PageSpinner } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

const Bell = lazy(async () => ({
  default: (await import('./features/notifications/components/bell.tsx')).Bell,
}))
async function report(client: QueryClient): Promise<void> {
  await (await import('./tasks/visits/visit-query.ts')).reportActivity(client)
}

function Frame() {
  const session = useSession()
  const client = useQueryClient()
  const sandbox = session?.sandbox
  useActivity(
    session?.authenticated === true,
    useCallback(() => void report(client), [client]),
  )
  const banner = (
    <>
      <OutageBanner />
      {sandbox && (
        <Banner label="Sandbox mode">
          {frameMessages.sandbox_banner}{' '}
          <a href={sandbox.url} target="_blank" rel="noreferrer">
            Open its spreadsheets
          </a>
        </Banner>
      )}
    </>
  )
  const tools = (
    <>
      <HelpLink />
      {session?.authenticated && (
        <Suspense fallback={<span className="icon-place" />}>
          <Bell />
        </Suspense>
      )}
      <UserMenu />
    </>
  )
  return (
    <>
      <AppShell entries={mainScreens} search={<SearchButton />} tools={tools} banner={banner}>
        <Outlet />
      </AppShell>
      <Toasts />
      <Login />
      <LeaveGuard />
      <Announcer />
    </>
  )
}

function Broken() {
  const error = useRouteError()
  console.error(error)
  return <LoadError message={frameMessages.unexpected} onRetry={() => location.reload()} />
}

/** Routes that need a session: without one, saves the path, raises `show-login` and redirects to the home page. */
const guarded = (client: QueryClient, routes: RouteObject[]): RouteObject[] =>
  routes.map((route) => ({
    ...route,
    loader: async ({ request }) => {
      if (await isSignedIn(client)) return null
      const { pathname, search } = new URL(request.url)
      requestLogin(pathname + search)
      return redirect('/')
    },
    // Filters change only the query string.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  }))

// Former URLs, for existing bookmarks.
const moved = [
  '/source_tasks_sync',
  '/source_tasks_grouped',
  '/source-tasks-dashboard',
  '/source_tasks_manage',
].map((path): RouteObject => ({ path, loader: () => redirect('/source_tasks') }))

/** Pages on which a sign-in without a saved path ends. */
const LANDINGS = ['/', '/sync_tasks']

/** Routes of the application. A spinner is shown until the first session check has ended. */
export const createRouter = (client: QueryClient) =>
  createBrowserRouter([
    {
      Component: Frame,
      HydrateFallback: PageSpinner,
      ErrorBoundary: Broken,
      loader: async () => {
        const path = savedPath()
        if (!(await isSignedInAtStart(client)) || path === null) return null
        clearSavedPath()
        // The user may have opened another page in the meantime.
        return LANDINGS.includes(location.pathname) && location.pathname !== path ? redirect(path) : null
      },
      shouldRevalidate: () => false,
      children: [
        {
          path: '/',
          lazy: async () => ({ Component: (await import('./features/home/home-screen.tsx')).HomeScreen }),
        },
        ...guarded(client, [
          {
            path: '/sync_tasks',
            lazy: async () => ({
              Component: (await import('./features/sync-tasks/sync-tasks-screen.tsx')).SyncTasksScreen,
            }),
          },
          {
            path: '/sync_tasks/:id',
            lazy: async () => ({
              Component: (await import('./features/sync-tasks/sync-task-screen.tsx')).SyncTaskScreen,
            }),
          },
          {
            path: '/sync_tasks/:id/logs',
            lazy: async () => ({
              Component: (await import('./features/sync-tasks/sync-task-logs-screen.tsx')).SyncTaskLogsScreen,
            }),
          },
          {
            path: '/sync_tasks/:id/plans/:run',
            lazy: async () => ({ Component: (await import('./features/plans/plan-screen.tsx')).PlanScreen }),
          },
          {
            path: '/plans',
            lazy: async () => ({
              Component: (await import('./features/plans/plans-screen.tsx')).PlansScreen,
            }),
          },
          {
            path: '/lineage',
            lazy: async () => ({
              Component: (await import('./features/lineage/lineage-screen.tsx')).LineageScreen,
            }),
          },
          {
            path: '/source_tasks',
            lazy: async () => ({
              Component: (await import('./features/source-tasks/source-tasks-screen.tsx')).SourceTasksScreen,
            }),
          },
          {
            path: '/source_tasks/:id',
            lazy: async () => ({
              Component: (await import('./features/source-tasks/source-task-screen.tsx')).SourceTaskScreen,
            }),
          },
          {
            path: '/source_tasks/:id/logs',
            lazy: async () => ({
              Component: (await import('./features/source-tasks/source-task-logs-screen.tsx'))
                .SourceTaskLogsScreen,
            }),
          },
          {
            path: '/runs',
            lazy: async () => ({ Component: (await import('./features/runs/runs-screen.tsx')).RunsScreen }),
          },
          {
            path: '/sync_task_types',
            lazy: async () => ({
              Component: (await import('./features/task-types/sync-task-types-screen.tsx'))
                .SyncTaskTypesScreen,
            }),
          },
          {
            path: '/source-task-types',
            lazy: async () => ({
              Component: (await import('./features/task-types/source-task-types-screen.tsx'))
                .SourceTaskTypesScreen,
            }),
          },
          {
            path: '/source-task-types/new',
            lazy: async () => ({
              Component: (await import('./features/task-types/source-task-type-screen.tsx'))
                .NewSourceTaskTypeScreen,
            }),
          },
          {
            path: '/source-task-types/:id/edit',
            lazy: async () => ({
              Component: (await import('./features/task-types/source-task-type-screen.tsx'))
                .EditSourceTaskTypeScreen,
            }),
          },
          {
            path: '/unified-task-types',
            lazy: async () => ({
              Component: (await import('./features/task-types/unified-task-types-screen.tsx'))
                .UnifiedTaskTypesScreen,
            }),
          },
          {
            path: '/settings',
            lazy: async () => ({
              Component: (await import('./features/settings/settings-screen.tsx')).SettingsScreen,
            }),
          },
          {
            path: '/settings/connections/new',
            lazy: async () => ({
              Component: (await import('./features/settings/connection-screen.tsx')).NewConnectionScreen,
            }),
          },
          {
            path: '/settings/connections/:id',
            lazy: async () => ({
              Component: (await import('./features/settings/connection-screen.tsx')).EditConnectionScreen,
            }),
          },
          {
            path: '/source-schedule',
            lazy: async () => ({
              Component: (await import('./features/schedules/source-schedule-screen.tsx'))
                .SourceScheduleScreen,
            }),
          },
          {
            path: '/users',
            lazy: async () => ({
              Component: (await import('./features/users/users-screen.tsx')).UsersScreen,
            }),
          },
          {
            path: '/tokens',
            lazy: async () => ({
              Component: (await import('./features/tokens/tokens-screen.tsx')).TokensScreen,
            }),
          },
          {
            path: '/compiler',
            lazy: async () => ({
              Component: (await import('./features/compiler/compiler-screen.tsx')).CompilerScreen,
            }),
          },
          {
            path: '/compiler/:id/decisions',
            lazy: async () => ({
              Component: (await import('./features/compiler/decisions/decisions-screen.tsx')).DecisionsScreen,
            }),
          },
          {
            path: '/compiler/:id/overrides',
            lazy: async () => ({
              Component: (await import('./features/compiler/overrides/overrides-screen.tsx')).OverridesScreen,
            }),
          },
          {
            path: '/compiler/:id',
            lazy: async () => ({
              Component: (await import('./features/compiler/compiler-config-screen.tsx'))
                .CompilerConfigScreen,
            }),
          },
          {
            path: '/compiler/:id/changes',
            lazy: async () => ({
              Component: (await import('./features/compiler/changes/changes-screen.tsx')).ChangesScreen,
            }),
          },
        ]),
        ...moved,
        {
          path: '/schedule',
          lazy: async () => ({
            Component: (await import('./features/schedules/schedule-screen.tsx')).ScheduleScreen,
          }),
        },
        {
          path: '/sync_tasks/:id/data_copy',
          lazy: async () => ({
            Component: (await import('./features/sync-tasks/sync-task-data-screen.tsx')).SyncTaskDataScreen,
          }),
        },
        {
          path: '/source_tasks/:id/data_copy',
          lazy: async () => ({
            Component: (await import('./features/source-tasks/source-task-data-screen.tsx'))
              .SourceTaskDataScreen,
          }),
        },
        {
          path: '/import_export',
          lazy: async () => ({
            Component: (await import('./features/import-export/import-export-screen.tsx')).ImportExportScreen,
          }),
        },
        {
          path: '/dev',
          lazy: async () => ({
            Component: (await import('./features/dev-logs/dev-logs-screen.tsx')).DevLogsScreen,
          }),
        },
        {
          path: '/help/:name',
          lazy: async () => ({ Component: (await import('./features/help/help-screen.tsx')).HelpScreen }),
        },
        { path: '*', Component: NotFoundScreen },
      ],
    },
  ])
