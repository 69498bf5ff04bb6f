import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { createConnectionTools } from './connection-tools.ts'
import { patientBackoff } from './connectors/backoff.ts'
import { googleQuota, type QuotaLimits } from './connectors/google-sheets/client/quota.ts'
import { createRevoke } from './connectors/google-sheets/client/revoke.ts'
import { createTokenSource } from './connectors/google-sheets/client/tokens.ts'
import { createGoogle } from './connectors/google-sheets/google.ts'
import { googleSheets } from './connectors/google-sheets/provider.ts'
import { createPlaces, createSources, createTargets } from './connectors/registry.ts'
import { GOOGLE_SHEETS } from './connectors/table-provider.ts'
import type { CsvDefinitions } from './csv-jobs/worker.ts'
import type { RunHandler } from './engine/types.ts'
import { type PostMessage, sendAlarms } from './features/alarms/commands/send.ts'
import { watch } from './features/alarms/commands/watch.ts'
import type { RefusalOfHost } from './features/alarms/commands/webhooks.ts'
import type { PreviewCompile } from './features/compiler/queries/preview.ts'
import type { ConnectionTools } from './features/connections/commands/settings.ts'
import { sendFailureMails } from './features/mails/commands/send-failure-mails.ts'
import { sourceTaskImport } from './features/source-tasks/commands/import.ts'
import { sourceTaskExport } from './features/source-tasks/queries/export.ts'
import type { SpreadsheetAccess } from './features/spreadsheets/routes.ts'
import { syncTaskImport } from './features/sync-tasks/commands/import.ts'
import { syncTaskExport } from './features/sync-tasks/queries/export.ts'
import type { CheckSheet } from './features/sync-tasks/queries/readiness.ts'
import { typeImport } from './features/task-types/commands/import.ts'
import { typeExport } from './features/task-types/csv.ts'
import { createSpreadsheetAccess } from './google-access.ts'
import type { Keys } from './platform/auth/keys.ts'
import type { Config } from './platform/config.ts'
import type { Logger } from './platform/log.ts'
import { createSendMail, type SendMail } from './platform/mail.ts'
import type { Database } from './platform/schema.ts'
import { createPostMessage, createRefusalOfHost } from './post-message.ts'
import { createCompileHandler } from './run-handlers/compile/handler.ts'
import { previewCompile } from './run-handlers/compile/preview.ts'
import { createCopyHandler } from './run-handlers/copy/handler.ts'
import { createDisconnect, type Disconnect } from './run-handlers/disconnect.ts'
import { createIngestHandler } from './run-handlers/ingest/handler.ts'
import type { FindSpreadsheet } from './tasks/accounts/find-spreadsheets.ts'
import { nameSpreadsheets } from './tasks/accounts/name-spreadsheets.ts'

const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'
const GOOGLE_REVOKE = 'https://oauth2.googleapis.com/revoke'
// Google ends a request after 180 s.
const REQUEST_LIMIT_MS = 185_000
const STALE_WAITS_MS = [2_000, 6_000]

/** Access to the outside world, created once per process. */
export type Services = {
  handlers: readonly RunHandler[]
  /** This process's use of Google's quota. */
  quota: { project: string; limits: QuotaLimits }
  checkSheet: CheckSheet
  connectionTools: ConnectionTools
  previewCompile: PreviewCompile
  findSpreadsheet: FindSpreadsheet
  /** Looks up the names of spreadsheets that tasks do not have yet. */
  nameSpreadsheets: () => Promise<void>
  spreadsheetAccess: SpreadsheetAccess
  disconnect: Disconnect
  /** Sends the due mails about failed runs; undefined if no mail server is configured. */
  sendFailureMails: (() => Promise<void>) | undefined
  /** Evaluates alarms and notifies their receivers. */
  raiseAlarms: () => Promise<void>
  postMessage: PostMessage
  refusalOfHost: RefusalOfHost
  /** Undefined if no mail server is configured. */
  sendMail: SendMail | undefined
  csvDefinitions: CsvDefinitions
}

/** Connects the Google connector and the run handlers to this process's configuration and database. */
export function createServices({
  config,
  db,
  pool,
  keys,
  log,
}: {
  config: Config
  db: Kysely<Database>
  /** For bulk rows; closed by its owner. */
  pool: Pool
  keys: Keys
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}): Services {
  const { apiRoot, issuer, clientId, clientSecret, serviceAccount } = config.google
  const quota = { project: clientId, limits: googleQuota }
  const google = createGoogle({
    db,
    tokens: createTokenSource({
      db,
      keys,
      clientId,
      clientSecret,
      tokenUrl: apiRoot === undefined ? GOOGLE_TOKENS : `${issuer}/token`,
      serviceAccount,
    }),
    entry: config,
    service_account: serviceAccount?.email,
    project: quota.project,
    apiRoot,
    quota: quota.limits,
    backoff: patientBackoff,
    timeLimitMs: REQUEST_LIMIT_MS,
  })
  const sourceDeps = {
    db,
    keys,
    sqlite_folder: config.sqliteFolder ?? null,
    own_database: config.databaseUrl ?? '',
  }
  const tables = { [GOOGLE_SHEETS]: googleSheets(db, google) }
  const sources = createSources(tables, sourceDeps)
  const targets = createTargets(tables)
  const placesOf = createPlaces(tables)
  const shared = { google, sources, pool, reconnect_url: `${config.publicUrl}/users` }
  const postMessage = createPostMessage(db)
  const { mail, publicUrl, scheduleTimeZone: zone } = config
  const sendMail = mail && createSendMail(mail)
  // DATA_DIR itself may belong to another account.
  const scratch = join(config.dataDir, 'scratch')
  return {
    handlers: [
      createCopyHandler({ ...shared, targets, stale_waits_ms: STALE_WAITS_MS }),
      createIngestHandler(shared),
      createCompileHandler({ pool, folder: scratch }),
    ],
    quota,
    connectionTools: createConnectionTools(sourceDeps),
    previewCompile: (wanted) => previewCompile({ db, folder: scratch }, wanted),
    checkSheet: async ({ provider, ...question }, signal) => placesOf(provider).readiness(question, signal),
    findSpreadsheet: async ({ provider, accounts, spreadsheet_id }, signal) =>
      placesOf(provider ?? GOOGLE_SHEETS).find(accounts, spreadsheet_id, signal),
    csvDefinitions: {
      imports: [syncTaskImport, sourceTaskImport, typeImport('sync'), typeImport('source')],
      exports: [syncTaskExport, sourceTaskExport, typeExport('sync'), typeExport('source')],
    },
    sendFailureMails:
      mail &&
      sendMail &&
      (() => sendFailureMails({ db, log, alerts: mail.alerts, send: sendMail, publicUrl, zone })),
    postMessage,
    refusalOfHost: createRefusalOfHost(db),
    sendMail,
    raiseAlarms: async () => {
      await watch({ db, quota, folder: config.dataDir })
      await sendAlarms({ db, keys, log, postMessage, sendMail, publicUrl, zone })
    },
    nameSpreadsheets: () => nameSpreadsheets(db, google.lookUpNames),
    spreadsheetAccess: createSpreadsheetAccess(placesOf),
    disconnect: createDisconnect({
      db,
      keys,
      google,
      revoke: createRevoke({
        clientId,
        clientSecret,
        revokeUrl: apiRoot === undefined ? GOOGLE_REVOKE : `${issuer}/revoke`,
      }),
      log,
    }),
  }
}
