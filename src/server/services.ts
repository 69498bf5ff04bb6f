import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { providerOf } from '../contract/files/providers.ts'
import { createConnectionTools } from './connection-tools.ts'
import { longBackoff } from './connectors/backoff.ts'
import { browse } from './connectors/files/browse.ts'
import { FILES } from './connectors/files/folders.ts'
import { foldersClosedTo, type RefuseFolder, refuseFolder } from './connectors/files/limited-folders.ts'
import { createMountCheck } from './connectors/files/mounts.ts'
import {
  createFileState,
  createFindAnyFile,
  createFindFile,
  filesProvider,
  inspectFile,
} from './connectors/files/provider.ts'
import { googleQuota, type QuotaLimits } from './connectors/google-sheets/client/quota.ts'
import { createRevoke } from './connectors/google-sheets/client/revoke.ts'
import { createTokenSource } from './connectors/google-sheets/client/tokens.ts'
import { createGoogle } from './connectors/google-sheets/google.ts'
import { googleSheets } from './connectors/google-sheets/provider.ts'
import {
  createMountOf,
  createPlaces,
  createSources,
  createTargets,
  type SourceReference,
} from './connectors/registry.ts'
import { GOOGLE_SHEETS } from './connectors/table-provider.ts'
import type { CsvDefinitions } from './csv-jobs/worker.ts'
import { formatMoment } from './engine/log-entries.ts'
import type { MountStates, RunHandler } from './engine/types.ts'
import { type PostMessage, sendAlarms } from './features/alarms/commands/send.ts'
import { watch } from './features/alarms/commands/watch.ts'
import type { RefusalOfHost } from './features/alarms/commands/webhooks.ts'
import { configImport } from './features/compiler/commands/import-configs.ts'
import type { ReadCheckLists } from './features/compiler/queries/count-failures.ts'
import { configExport } from './features/compiler/queries/export-configs.ts'
import type { PreviewCompile } from './features/compiler/queries/preview.ts'
import type { ConnectionTools } from './features/connections/commands/settings.ts'
import { refreshForecasts } from './features/forecast/commands/refresh.ts'
import type { ReadCell } from './features/lineage/queries/check-cell.ts'
import { sendFailureMails } from './features/mails/commands/send-failure-mails.ts'
import { sendNotificationMails } from './features/notifications/commands/send-mails.ts'
import { sourceTaskImport } from './features/source-tasks/commands/import.ts'
import type { InspectFile } from './features/source-tasks/commands/uploaded-files.ts'
import { sourceTaskExport } from './features/source-tasks/queries/export.ts'
import type { ReadFileState } from './features/source-tasks/queries/file-state.ts'
import type { SpreadsheetAccess } from './features/spreadsheets/routes.ts'
import { syncTaskImport } from './features/sync-tasks/commands/import.ts'
import { syncTaskExport } from './features/sync-tasks/queries/export.ts'
import type { CheckSheet } from './features/sync-tasks/queries/readiness.ts'
import type { SampleRows } from './features/sync-tasks/queries/row-sample.ts'
import { typeImport } from './features/task-types/commands/import.ts'
import { typeExport } from './features/task-types/csv.ts'
import {
  createSpreadsheetAccess,
  findTarget,
  namingFailures,
  pageContext,
  targetReadiness,
} from './google-access.ts'
import type { Keys } from './platform/auth/keys.ts'
import type { Config } from './platform/config.ts'
import type { Logger } from './platform/log.ts'
import { createSendMail, type SendMail } from './platform/mail.ts'
import type { Database } from './platform/schema.ts'
import { createPostMessage, createRefusalOfHost } from './post-message.ts'
import { createCompileHandler } from './run-handlers/compile/handler.ts'
import { previewCompile } from './run-handlers/compile/preview.ts'
import { readCheckLists } from './run-handlers/compile/storage/check-lists.ts'
import { usedSpreadsheets as usedByCopy } from './run-handlers/copy/definition.ts'
import { createCopyHandler } from './run-handlers/copy/handler.ts'
import { sampleRows } from './run-handlers/copy/sample-rows.ts'
import { createDisconnect, type Disconnect } from './run-handlers/disconnect.ts'
import { usedSpreadsheets as usedByIngest } from './run-handlers/ingest/definition.ts'
import { createIngestHandler } from './run-handlers/ingest/handler.ts'
import { withMounts } from './run-handlers/needed-mounts.ts'
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
  /** Looks which folders of FILES_FOLDERS this process can open. */
  mountStates: () => Promise<MountStates>
  /** This process's use of Google's quota. */
  quota: { project: string; limits: QuotaLimits }
  checkSheet: CheckSheet
  sampleRows: SampleRows
  connectionTools: ConnectionTools
  previewCompile: PreviewCompile
  readCheckLists: ReadCheckLists
  findSpreadsheet: FindSpreadsheet
  /** Reads one cell of a target as it is now. */
  readCell: ReadCell
  /** Looks up the names of spreadsheets that tasks do not have yet. */
  nameSpreadsheets: () => Promise<void>
  spreadsheetAccess: SpreadsheetAccess
  /** A file of a task as it is now. */
  fileState: ReadFileState
  /** Reads the tables of a file on disk. */
  inspectFile: InspectFile
  disconnect: Disconnect
  /** Sends the due mails about failed runs; undefined if no mail server is configured. */
  sendFailureMails: (() => Promise<void>) | undefined
  /** Mails users the notifications that they chose; undefined if no mail server is configured. */
  sendNotificationMails: (() => Promise<void>) | undefined
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
    backoff: longBackoff,
    timeLimitMs: REQUEST_LIMIT_MS,
  })
  const sourceDeps = {
    db,
    keys,
    sqlite_folder: config.sqliteFolder ?? null,
    own_database: config.databaseUrl ?? '',
  }
  const folders = config.filesFolders
  const findFile = createFindFile(db, folders)
  const refuse: RefuseFolder = (path, user_id) => refuseFolder(db, path, user_id)
  const tables = {
    [GOOGLE_SHEETS]: googleSheets(db, google),
    [FILES]: filesProvider({ folders, find: findFile, refuse }),
  }
  const fileState = createFileState(createFindAnyFile(db, folders))
  const sources = createSources(tables, sourceDeps)
  const targets = createTargets(tables)
  const placesOf = createPlaces(tables)
  const mountOf = createMountOf(tables)
  const shared = { google, sources, pool, reconnect_url: `${config.publicUrl}/users` }
  const postMessage = createPostMessage(db)
  const { mail, publicUrl, scheduleTimeZone: zone } = config
  const sendMail = mail && createSendMail(mail)
  // DATA_DIR itself may belong to another account.
  const scratch = join(config.dataDir, 'scratch')
  return {
    handlers: [
      withMounts(
        createCopyHandler({ ...shared, targets, stale_waits_ms: STALE_WAITS_MS, zone }),
        usedByCopy,
        mountOf,
      ),
      withMounts(createIngestHandler(shared), usedByIngest, mountOf),
      createCompileHandler({ pool, folder: scratch, zone }),
    ],
    mountStates: createMountCheck(folders),
    quota,
    connectionTools: createConnectionTools(sourceDeps),
    readCheckLists,
    previewCompile: (wanted) => previewCompile({ db, folder: scratch, zone }, wanted),
    checkSheet: async ({ provider, is_target = false, ...question }, signal) =>
      is_target
        ? targetReadiness(placesOf(provider), question)
        : placesOf(provider).readiness(question, signal),
    sampleRows: (user_id, source, signal) => {
      const unbound = ({ source_ss_id }: { source_ss_id: string }) => ({
        source_provider: providerOf(source_ss_id),
        source_place: null,
      })
      const further_sources = source.further.map((one) => ({ ...one, ...unbound(one) }))
      const question = { ...source, ...unbound(source), further_sources }
      const open = (reference: SourceReference) =>
        sources.open(reference, pageContext(google, user_id, signal))
      return namingFailures(
        () => sampleRows(open, question, formatMoment(new Date(), config.scheduleTimeZone)),
        { tells: true },
      )
    },
    findSpreadsheet: ({ provider, accounts, spreadsheet_id, is_target }, signal) =>
      namingFailures(
        async () => {
          const places = placesOf(provider ?? providerOf(spreadsheet_id))
          const target = is_target ? await findTarget(places, spreadsheet_id, accounts.account_user_id) : null
          return target ?? places.find(accounts, spreadsheet_id, signal)
        },
        { tells: true },
      ),
    readCell: async ({ provider, ...cell }, signal) => placesOf(provider).readCell(cell, signal),
    csvDefinitions: {
      imports: [syncTaskImport, sourceTaskImport, typeImport('sync'), typeImport('source'), configImport],
      exports: [syncTaskExport, sourceTaskExport, typeExport('sync'), typeExport('source'), configExport],
    },
    sendFailureMails:
      mail &&
      sendMail &&
      (() => sendFailureMails({ db, log, alerts: mail.alerts, send: sendMail, publicUrl, zone })),
    sendNotificationMails: sendMail && (() => sendNotificationMails({ db, log, send: sendMail, publicUrl })),
    postMessage,
    refusalOfHost: createRefusalOfHost(db),
    sendMail,
    raiseAlarms: async () => {
      await refreshForecasts({ db, zone, quota, concurrency: config.workerConcurrency })
      await watch({
        db,
        quota,
        folder: config.dataDir,
        stateOfFile: async (id) => {
          const { name, modified_at, problem } = await fileState(id)
          return modified_at === null
            ? { problem: problem ?? '' }
            : { name, changed: Date.parse(modified_at) }
        },
      })
      await sendAlarms({ db, keys, log, postMessage, sendMail, publicUrl, zone })
    },
    nameSpreadsheets: () => nameSpreadsheets(db, google.lookUpNames),
    spreadsheetAccess: createSpreadsheetAccess(placesOf, async (path, user_id) => {
      const closed = await foldersClosedTo(db, user_id)
      if (path !== '') await refuseFolder(db, path, user_id)
      return browse(
        folders.filter(({ name }) => !closed.has(name)),
        path,
      )
    }),
    fileState,
    inspectFile: (file, signal) => namingFailures(() => inspectFile(file, signal), { tells: true }),
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
