import type { QueryClient } from '@tanstack/react-query'
import { createBrowserRouter, Outlet, type RouteObject, redirect, useRouteError } from 'react-router'
import { frameMessages } from '../contract/system/client-messages.ts'

import { Login } from './features/auth/components/login.tsx'
import { UserMenu } from './features/auth/components/user-menu.tsx'
import { HelpLink } from './features/help/components/help-link.tsx'
import { NotFoundScreen } from './features/not-found/not-found-screen.tsx'
import { clearSavedPath, requestLogin, savedPath } from './lib/login-request.ts'
import { isSignedIn, isSignedInAtStart, useSession } from './lib/session.ts'
import { Announcer } from './ui/announcer.tsx'
import { AppShell, type NavEntry } from './ui/app-shell.tsx'
import { Banner } from './ui/banner.tsx'
import { LeaveGuard } from './ui/leave-guard.tsx'
import { OutageBanner } from './ui/outage-banner.tsx'
import { LoadError, PageSpinner } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

const entries: NavEntry[] = [
  { label: 'Home', path: '/' },
  { label: 'Sync Tasks', path: '/sync_tasks' },
  { label: 'Source Tasks', path: '/source_tasks' },
  { label: 'Compiler', path: '/compiler' },
  { label: 'Task Types', path: '/sync_task_types' },
  { label: 'Source Task Types', path: '/source-task-types' },
  { label: 'Unified Types', path: '/unified-task-types' },
  { label: 'Settings', path: '/settings' },
  { label: 'Import/Export', path: '/import_export' },
]

function Frame() {
  const sandbox = useSession()?.sandbox
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
      <UserMenu />
    </>
  )
  return (
    <>
      <AppShell entries={entries} tools={tools} banner={banner}>
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

/** The routes that need sign-in: without it the wish is remembered, `show-login` raised, and the person sent home. */
const guarded = (client: QueryClient, routes: RouteObject[]): RouteObject[] =>
  routes.map((route) => ({
    ...route,
    loader: async ({ request }) => {
      if (await isSignedIn(client)) return null
      const { pathname, search } = new URL(request.url)
      requestLogin(pathname + search)
      return redirect('/')
    },
    // filters in the address are no other page
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  }))

// addresses that people have kept
const moved = [
  '/source_tasks_sync',
  '/source_tasks_grouped',
  '/source-tasks-dashboard',
  '/source_tasks_manage',
].map((path): RouteObject => ({ path, loader: () => redirect('/source_tasks') }))

/** Where a sign-in ends that was told of no page. */
const LANDINGS = ['/', '/sync_tasks']

/** Which address shows which screen. A spinner stands until the first sign-in check has ended. */
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
        // who has asked for another page since wants that one
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
            path: '/compiler/:id',
            lazy: async () => ({
              Component: (await import('./features/compiler/compiler-config-screen.tsx'))
                .CompilerConfigScreen,
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
