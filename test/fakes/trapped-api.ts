import { afterAll, beforeAll } from 'vitest'
import { ApiSettings } from '../../src/contract/connections/calls.ts'
import type { ReadingOptions } from '../../src/server/connectors/http-api/reading.ts'
import { openApi } from '../../src/server/connectors/http-api/source.ts'
import type { SourceContext } from '../../src/server/connectors/source-context.ts'
import { anySourceContext, readObjects } from '../fixtures/read-source.ts'
import { type Handler, OriginServer } from './origin-server.ts'

let server: OriginServer
let paths = 0

/** Starts the server for the handlers of the calling file. */
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
/** Short pauses between retries and a short time limit, for requests that never succeed. */
export const QUICK: ReadingOptions = {
  backoff: { first_ms: 5, max_ms: 20, give_up_after_ms: 200 },
  limits: LIMITS,
}
/** Short pauses between retries and a long time limit, for slow machines. */
export const PATIENT: ReadingOptions = {
  ...QUICK,
  backoff: { first_ms: 5, max_ms: 20, give_up_after_ms: 60_000 },
}
/** A short request timeout. */
export const HASTY: ReadingOptions = { ...QUICK, limits: { ...LIMITS, request_ms: 150 } }

type Case = {
  handler: Handler
  settings?: Record<string, unknown>
  use?: Partial<SourceContext>
  options?: ReadingOptions
}

/** Opens a source that reads from the handler. */
export async function open({ handler, settings = {}, use = {}, options = QUICK }: Case) {
  const url = server.on(`/trap-${++paths}`, handler)
  return openApi(
    { name: 'trap', settings: ApiSettings.parse({ url, ...settings }) },
    anySourceContext(use),
    options,
  )
}
export const skus = async (wanted: Case) => (await readObjects(await open(wanted))).map(({ sku }) => sku)
/** Requests of the most recently opened source. */
export const asked = () => server.asked.filter(({ url }) => url.pathname === `/trap-${paths}`)

/** A numeric query parameter. */
export const at = (url: URL, name: string, otherwise = 0) => Number(url.searchParams.get(name) ?? otherwise)
export const rows = (...numbers: number[]) => numbers.map((sku) => ({ sku }))
