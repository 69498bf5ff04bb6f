import type { CopyReceipt } from '../src/contract/receipts.ts'
import type { GoogleSettings } from '../src/server/connectors/google-sheets/session.ts'
import type { Sources, TableProviders } from '../src/server/connectors/registry.ts'
import type { RunState } from '../src/server/platform/schema.ts'
import type { Limits } from './json-directory/target.ts'

/** For a Google that does not come back: gives up soon. Elsewhere a busy machine has time for its second try. */
export const impatient = { first_ms: 5, longest_ms: 40, give_up_after_ms: 1_500 }

/** What a world of copies is opened with. */
export type Settings = Partial<GoogleSettings> & {
  commit_bytes?: number
  sources?: Sources
  /** Who keeps tables besides Google. */
  tables?: TableProviders
  /** What processes of this world are told besides. */
  worker_env?: Record<string, string>
  /** What a directory of JSON files takes, where that is the world's provider. */
  directory?: Partial<Limits>
  /** False: runs are carried out by processes that the test starts itself. */
  worker?: boolean
  /** True: what runs ask of Google goes through a proxy; tests themselves ask directly. */
  proxied?: boolean
}

/** How a run ended, with what it left behind. */
export type Ended = {
  id: number
  state: RunState
  message: string
  receipt: CopyReceipt | null
  log: string[]
  /** Requests by Google's own count. */
  requests: { read: number; write: number }
}
