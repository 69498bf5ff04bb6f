import { expect, it } from 'vitest'
import { structureFaults } from './structure-rules.ts'

const faults = (...paths: string[]) => structureFaults(paths.map((path) => ({ path, lines: 10 })))

it.each([
  'src/server/features/sync-tasks/routes.ts',
  'src/server/features/sync-tasks/routes.test.ts',
  'src/server/features/sync-tasks/csv.ts',
  'src/server/features/sync-tasks/commands/run-task.ts',
  'src/server/features/sync-tasks/commands/run-task.test.ts',
  'src/web/features/sync-tasks/sync-task-detail-screen.tsx',
  'src/web/features/sync-tasks/sync-tasks-screen.module.css',
  'src/web/features/sync-tasks/api.ts',
  'src/web/features/sync-tasks/components/task-row.tsx',
  'src/server/platform/pino-roll.d.ts',
  'sandbox/page/vite.config.ts',
  'sandbox/page/index.html',
])('accepts %s', (path) => {
  expect(faults(path)).toEqual([])
})

it.each([
  ['src/server/features/sync-tasks/service.ts', 'a feature holds routes.ts'],
  ['src/server/features/sync-tasks/lib/rows.ts', 'a feature holds routes.ts'],
  ['src/server/features/rows.ts', 'put it into the folder of its feature'],
  ['src/web/features/sync-tasks/hooks.ts', 'a feature holds <name>-screen.tsx'],
  ['src/web/features/sync-tasks/list.tsx', 'a feature holds <name>-screen.tsx'],
  ['src/server/platform/httpErrors.ts', '"httpErrors" is not kebab-case'],
  ['src/server/Platform/http.ts', '"Platform" is not kebab-case'],
  ['src/server/platform/date-utils.ts', '"utils" says nothing'],
  ['src/web/common/button.tsx', '"common" says nothing'],
  ['src/web/ui/index.ts', 'no index files'],
  ['src/server/platform/http.service.ts', '"service" is no ending in use'],
])('refuses %s and suggests an alternative', (path, advice) => {
  expect(faults(path).join('\n')).toContain(advice)
})

it('refuses commands.ts next to commands/', () => {
  const folder = 'src/server/features/sync-tasks'
  expect(faults(`${folder}/commands.ts`, `${folder}/commands/run-task.ts`)).toEqual([
    `${folder}/commands/run-task.ts: move what is left of commands.ts into commands/.`,
  ])
})

it('refuses a file of more than 400 lines', () => {
  const path = 'src/server/features/sync-tasks/commands.ts'
  expect(structureFaults([{ path, lines: 400 }])).toEqual([])
  expect(structureFaults([{ path, lines: 401 }])).toEqual([
    `${path}: 401 lines, more than 400: it holds more than one topic. Make commands/ of it, with one file per command.`,
  ])
})

it('refuses components/ of more than 25 files; tests and stylesheets do not count', () => {
  const room = 'src/web/features/sync-tasks/components'
  const files = Array.from({ length: 25 }, (_, n) => `${room}/part-${n}.tsx`)
  const beside = [`${room}/part-1.test.ts`, `${room}/part-1.module.css`]
  expect(faults(...files, ...beside)).toEqual([])
  expect(faults(...files, ...beside, `${room}/wording.ts`).join()).toContain(`${room}: 26 files`)
})

it('texts of the contract are in the folder of their area', () => {
  const fault = (path: string) => structureFaults([{ path, lines: 10 }])
  expect(fault('src/contract/tasks/client-messages.ts')).toEqual([])
  expect(fault('src/contract/field-messages.ts')).toEqual([])
  expect(fault('src/contract/page-messages.ts')).toHaveLength(1)
  expect(fault('src/contract/tasks/page-messages.ts')).toHaveLength(1)
})
