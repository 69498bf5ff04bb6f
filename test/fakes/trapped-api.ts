import { afterAll, beforeAll } from 'vitest'
import { ApiSettings } from '../../src/contract/connections/calls.ts'
import type { ReadingOptions } from '../../src/server/connectors/http-api/reading.ts'
import { openApi } from '../../src/server/connectors/http-api/source.ts'
import type { SourceContext } from '../../src/server/connectors/source-context.ts'
import { anyUse, readObjects } from '../fixtures/origin-reading.ts'
import { type Handler, OriginServer } from './origin-server.ts'

let server: OriginServer
let paths = 0

/** Starts the server of the calling file's handlers. */
export function startTrappedApi(): void {
  beforeAll(async () => {
    server = await OriginServer.start()
  })
  afterAll(() => server.close())
}

export const LIMITS = {
  request_ms: 30_000,
  reply_bytes: 2_000_000,
  csv_bytes: 5_000_000,
  longest_wait_ms: 3_000,
}
/** Gives up soon, for requests that never succeed. */
export const QUICK: ReadingOptions = {
  backoff: { first_ms: 5, longest_ms: 20, give_up_after_ms: 200 },
  limits: LIMITS,
}
/** Tries again soon, and goes on however slow the machine is. */
export const PATIENT: ReadingOptions = {
  ...QUICK,
  backoff: { first_ms: 5, longest_ms: 20, give_up_after_ms: 60_000 },
}
/** Waits for a reply no longer than it must. */
export const HASTY: ReadingOptions = { ...QUICK, limits: { ...LIMITS, request_ms: 150 } }

type Case = {
  handler: Handler
  settings?: Record<string, unknown>
  use?: Partial<SourceContext>
  options?: ReadingOptions
}

/** A source that reads the handler's replies. */
export async function open({ handler, settings = {}, use = {}, options = QUICK }: Case) {
  const url = server.on(`/trap-${++paths}`, handler)
  return openApi({ name: 'trap', settings: ApiSettings.parse({ url, ...settings }) }, anyUse(use), options)
}
export const skus = async (wanted: Case) => (await readObjects(await open(wanted))).map(({ sku }) => sku)
/** The requests of the source that was opened last. */
export const asked = () => server.asked.filter(({ url }) => url.pathname === `/trap-${paths}`)

/** The number that a request names in its address. */
export const at = (url: URL, name: string, otherwise = 0) => Number(url.searchParams.get(name) ?? otherwise)
export const rows = (...numbers: number[]) => numbers.map((sku) => ({ sku }))
