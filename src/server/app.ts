import { join } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import type { Outage } from '../contract/system/calls.ts'
import { webhooksFeature } from './features/alarms/routes.ts'
import { approvalsFeature } from './features/approvals/routes.ts'
import { authFeature } from './features/auth/routes.ts'
import { bulkFeature } from './features/bulk/routes.ts'
import { acceptRecords, discardRecords } from './features/compiler/commands/waiting-records.ts'
import {
  compilerChangesFeature,
  compilerChecksFeature,
  compilerColumnsFeature,
  compilerCompletenessFeature,
  compilerDecisionsFeature,
  compilerFeature,
  compilerFilesFeature,
  compilerOverridesFeature,
  compilerPreviewFeature,
  compilerRecordsFeature,
  compilerRunsFeature,
} from './features/compiler/routes.ts'

import { connectionsFeature } from './features/connections/routes.ts'
import { csvJobsFeature } from './features/csv-jobs/routes.ts'
import { devLogsFeature } from './features/dev-logs/routes.ts'
import { eventsFeature } from './features/events/routes.ts'
import { favouritesFeature } from './features/favourites/routes.ts'
import { foldersFeature } from './features/folders/routes.ts'
import { forecastFeature } from './features/forecast/routes.ts'
import { lineageFeature } from './features/lineage/routes.ts'
import { stateGauges } from './features/metrics/queries/state.ts'
import { notificationsFeature } from './features/notifications/routes.ts'
import { pipelineFeature } from './features/pipeline/routes.ts'
import { plansFeature } from './features/plans/routes.ts'
import { runLimitsFeature } from './features/run-limits/routes.ts'
import { allRunsFeature, runsFeature } from './features/runs/routes.ts'
import { savedViewsFeature } from './features/saved-views/routes.ts'
import { schedulesFeature } from './features/schedules/routes.ts'
import { searchFeature } from './features/search/routes.ts'
import { serviceAccountFeature } from './features/service-account/routes.ts'
import { settingChangesFeature } from './features/setting-changes/routes.ts'
import { acceptRows, discardRows } from './features/source-tasks/commands/waiting-rows.ts'
import { sourceColumnsFeature, sourceTasksFeature, uploadsFeature } from './features/source-tasks/routes.ts'
import { spreadsheetsFeature } from './features/spreadsheets/routes.ts'
import { syncPresetsFeature } from './features/sync-presets/routes.ts'
import { applyPlan } from './features/sync-tasks/commands/apply-plan.ts'
import { replaceCells } from './features/sync-tasks/commands/replace-cells.ts'
import { syncTasksFeature } from './features/sync-tasks/routes.ts'
import { systemFeature } from './features/system/routes.ts'
import {
  sourceTaskTypeFilesFeature,
  sourceTaskTypesFeature,
  syncTaskTypeFilesFeature,
  syncTaskTypesFeature,
  unifiedTaskTypesFeature,
} from './features/task-types/routes.ts'
import { tokensFeature } from './features/tokens/routes.ts'
import { typeGraphFeature } from './features/type-graph/routes.ts'
import { usersFeature } from './features/users/routes.ts'
import { visitsFeature } from './features/visits/routes.ts'
import type { LiveStreams } from './live.ts'
import { addMcp } from './mcp/add-mcp.ts'
import type { Keys } from './platform/auth/keys.ts'
import { createOpenId } from './platform/auth/open-id.ts'
import type { Config } from './platform/config.ts'
import { createServer } from './platform/http/create-server.ts'
import { addDocs } from './platform/http/docs.ts'
import { addHealth, type Checks } from './platform/http/health.ts'
import { addMetrics } from './platform/http/metrics.ts'
import { mount } from './platform/http/mount.ts'
import { addPages } from './platform/http/pages.ts'
import type { RateLimits } from './platform/http/rate-limits.ts'
import { LOG_FOLDER } from './platform/log.ts'
import type { Database } from './platform/schema.ts'
import type { Services } from './services.ts'

/** Dependencies of all features; each feature declares the part that it needs. */
export type AppDeps = {
  config: Config
  db: Kysely<Database>
  keys: Keys
  log: FastifyBaseLogger
  /** Rowferry's version, from package.json. */
  version: string
  now: () => Date
  /** SCHEDULE_TIME_ZONE. */
  zone: string
  live: LiveStreams
  /** How long calls wait for CSV jobs, in milliseconds; after that the job continues without them. */
  csvWaitMs: number
  /** Outages that the supervisor of this process reports. */
  supervised: () => readonly Outage[]
} & Services

type ServerOptions = {
  /** Folder of the built web pages. */
  webRoot: string
  /** The checks of /readyz. */
  checks: Checks
  rateLimits?: RateLimits
}

/** The whole application as an HTTP server, not listening yet: every feature's calls, their documentation and the pages. */
export async function buildApp(deps: AppDeps, options: ServerOptions): Promise<FastifyInstance> {
  const { config, version } = deps
  const app = await createServer({ ...deps, ...options })
  addHealth(app, options.checks)
  if (config.metricsToken)
    addMetrics(app, config.metricsToken, (register) =>
      stateGauges(register, { ...deps, ...deps.quota, folder: config.dataDir }),
    )

  mount(app, approvalsFeature, {
    ...deps,
    decisions: { acceptRows, discardRows, acceptRecords, discardRecords, applyPlan, replaceCells },
  })
  mount(app, authFeature, { ...deps, openId: createOpenId(config) })
  mount(app, bulkFeature, deps)
  mount(app, compilerFeature, deps)
  mount(app, compilerPreviewFeature, deps)
  mount(app, compilerRunsFeature, deps)
  mount(app, compilerChecksFeature, deps)
  mount(app, compilerFilesFeature, deps)
  mount(app, compilerChangesFeature, deps)
  mount(app, compilerColumnsFeature, deps)
  mount(app, compilerCompletenessFeature, deps)
  mount(app, compilerDecisionsFeature, deps)
  mount(app, compilerOverridesFeature, deps)
  mount(app, compilerRecordsFeature, deps)
  mount(app, connectionsFeature, deps)
  mount(app, csvJobsFeature, deps)
  mount(app, devLogsFeature, { ...deps, logFolder: join(config.dataDir, LOG_FOLDER) })
  mount(app, eventsFeature, deps)
  mount(app, favouritesFeature, deps)
  mount(app, foldersFeature, deps)
  mount(app, forecastFeature, { ...deps, concurrency: config.workerConcurrency })
  mount(app, lineageFeature, { ...deps, sheetsRoot: sheetsRoot(config) })
  mount(app, notificationsFeature, deps)
  mount(app, pipelineFeature, deps)
  mount(app, plansFeature, deps)
  mount(app, allRunsFeature, deps)
  mount(app, runsFeature, deps)
  mount(app, runLimitsFeature, deps)
  mount(app, savedViewsFeature, deps)
  mount(app, schedulesFeature, deps)
  mount(app, searchFeature, deps)
  mount(app, serviceAccountFeature, { ...deps, address: config.google.serviceAccount?.email ?? null })
  mount(app, settingChangesFeature, deps)
  mount(app, sourceTasksFeature, deps)
  mount(app, sourceColumnsFeature, deps)
  mount(app, spreadsheetsFeature, deps)
  mount(app, syncPresetsFeature, deps)
  mount(app, syncTasksFeature, deps)
  mount(app, systemFeature, deps)
  mount(app, sourceTaskTypeFilesFeature, deps)
  mount(app, sourceTaskTypesFeature, deps)
  mount(app, syncTaskTypeFilesFeature, deps)
  mount(app, syncTaskTypesFeature, deps)
  mount(app, tokensFeature, deps)
  mount(app, typeGraphFeature, deps)
  mount(app, uploadsFeature, deps)
  mount(app, unifiedTaskTypesFeature, deps)
  mount(app, usersFeature, deps)
  mount(app, visitsFeature, deps)
  mount(app, webhooksFeature, { ...deps, publicUrl: config.publicUrl })

  addMcp(app, deps)

  await addDocs(app, version)
  await addPages(app, options.webRoot)
  return app
}

/** Where spreadsheets are opened. */
const sheetsRoot = ({ mode, google }: Config) =>
  mode === 'sandbox' ? (google.apiRoot ?? google.issuer) : 'https://docs.google.com'
