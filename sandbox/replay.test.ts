import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { accessToken, testSandbox } from '../test/fakes/sandbox.ts'

const FOLDER = join(import.meta.dirname, '../../shared/recordings/sheets-api')

const Pair = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.array(z.string())),
  body: z.unknown(),
  status: z.number().int(),
  response: z.unknown(),
})
type Pair = z.infer<typeof Pair>

/** Requests that the sandbox does not support by decision. Pairs that contain or depend on them are skipped. */
const LEFT_OUT = ['addDimensionGroup', 'deleteDimensionGroup']

/** Address of the recording account, which the replies contain. */
const RECORDED_BY = 'telegram-budgeter@telegram-budgeter.iam.gserviceaccount.com'

const ID_KEYS = new Set(['id', 'spreadsheetId', 'sheetId', 'namedRangeId', 'protectedRangeId'])
const IGNORED_KEYS = new Set([
  'createdTime',
  'modifiedTime',
  'spreadsheetTheme',
  'defaultFormat',
  'effectiveFormat',
  'pixelSize',
])

/** Result of a pair; `because` gives the reason of a difference or exclusion. */
interface Outcome {
  readonly kind: 'equal' | 'unequal' | 'left out'
  readonly pair: string
  readonly because: string
}

describe.skipIf(!existsSync(FOLDER))('recorded traffic of the real service', () => {
  test('every recorded reply is reproduced', async () => {
    const { root } = await testSandbox()
    const headers = {
      authorization: `Bearer ${await accessToken(root, RECORDED_BY)}`,
      'content-type': 'application/json',
    }
    const outcomes: Outcome[] = []
    for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
      const pairs = z.array(Pair).parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))
      outcomes.push(...(await replay(pairs, basename(file, '.json'), root, headers)))
    }
    const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
    const lines = outcomes
      .filter(({ kind }) => kind === 'unequal')
      .map(({ pair, because }) => `${pair}\n    ${because}`)
    const reasons = Map.groupBy(
      outcomes.filter(({ kind }) => kind === 'left out'),
      ({ because }) => because,
    )
    process.stdout.write(
      [
        `Recorded pairs: ${count('equal')} equal, ${count('unequal')} unequal, ${count('left out')} left out`,
        ...lines.map((line) => `  unequal: ${line}`),
        ...[...reasons].map(([because, list]) => `  left out: ${list.length} x ${because}`),
        '',
      ].join('\n'),
    )
    expect(count('unequal')).toBe(0)
    expect(count('equal')).toBeGreaterThan(800)
    // Replays hundreds of requests sequentially.
  })
})

async function replay(
  pairs: readonly Pair[],
  name: string,
  root: string,
  headers: Record<string, string>,
): Promise<Outcome[]> {
  const ids = new Map<string, string | number>()
  /** Books changed by an excluded request, by its kind; later replies depend on it. */
  const tainted = new Map<string, string>()
  const outcomes: Outcome[] = []
  for (const [index, pair] of pairs.entries()) {
    const label = `${name} ${index}: ${pair.method} ${pair.path}`
    const book = bookOf(pair)
    const outside = outsideOf(pair)
    const because = outside ?? tainted.get(book)
    if (outside !== null && pair.method !== 'GET') tainted.set(book, `depends on ${outside}`)
    if (because !== undefined) {
      outcomes.push({ kind: 'left out', pair: label, because })
      continue
    }
    const response = await fetch(`${root}${translated(pair.path, ids)}?${queryOf(pair, ids)}`, {
      method: pair.method,
      headers,
      ...(pair.body !== null && { body: JSON.stringify(translatedJson(pair.body, ids)) }),
    })
    const text = await response.text()
    const actual: unknown = text === '' ? null : JSON.parse(text)
    const difference =
      response.status === pair.status
        ? differenceOf(pair.response, actual, ids, '')
        : `status ${response.status} instead of ${pair.status}: ${text}`
    outcomes.push({ kind: difference ? 'unequal' : 'equal', pair: label, because: difference ?? '' })
  }
  return outcomes
}

/** Reason why a pair is out of scope for the sandbox, or null. */
function outsideOf({ status, path, body }: Pair): string | null {
  if (status === 429) return 'a quota refusal'
  if (/\/drive\/v3\/files\/[^/]+\/(?!copy$|permissions|comments$)/.test(path))
    return 'a Drive call outside the sandbox'
  if (!/^\/v4\/spreadsheets\/[^/]+:batchUpdate$/.test(path)) return null
  const parsed = z.object({ requests: z.array(z.record(z.string(), z.unknown())) }).safeParse(body)
  const names = parsed.success ? parsed.data.requests.flatMap((request) => Object.keys(request)) : []
  const other = names.find((request) => LEFT_OUT.includes(request))
  return other === undefined ? null : `the request ${other}`
}

function bookOf({ path }: Pair): string {
  return /^\/(?:v4\/spreadsheets|drive\/v3\/files)\/([^/:]+)/.exec(path)?.[1] ?? ''
}

function queryOf({ query }: Pair, ids: ReadonlyMap<string, string | number>): URLSearchParams {
  const entries = Object.entries(query).flatMap(([key, values]) =>
    values.map((value) => [key, translated(value, ids)]),
  )
  return new URLSearchParams(entries)
}

function translated(text: string, ids: ReadonlyMap<string, string | number>): string {
  return text.replace(/[\w-]{44}/g, (id) => String(ids.get(id) ?? id))
}

/** The request with recorded ids replaced by ids of the sandbox. */
function translatedJson(json: unknown, ids: ReadonlyMap<string, string | number>): unknown {
  if (Array.isArray(json)) return json.map((item) => translatedJson(item, ids))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const isId = /(?:id|Id)$/.test(key) && (typeof value === 'string' || typeof value === 'number')
      return [key, isId ? (ids.get(String(value)) ?? value) : translatedJson(value, ids)]
    }),
  )
}

/** First difference of two replies, or null. Also records which ids correspond. */
function differenceOf(
  expected: unknown,
  actual: unknown,
  ids: Map<string, string | number>,
  path: string,
): string | null {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return `${path}: ${actual.length} items instead of ${expected.length}`
    return first(
      expected.map((item, index) => () => differenceOf(item, actual[index], ids, `${path}[${index}]`)),
    )
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    return first(
      keys.map((key) => () => {
        if (IGNORED_KEYS.has(key))
          return key in expected === key in actual ? null : `${path}.${key}: only on one side`
        if (!ID_KEYS.has(key)) return differenceOf(expected[key], actual[key], ids, `${path}.${key}`)
        return learn(expected[key], actual[key], ids) ? null : `${path}.${key}: another id`
      }),
    )
  }
  const wanted = typeof expected === 'string' ? translated(expected, ids) : expected
  return Object.is(wanted, actual)
    ? null
    : `${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`
}

function learn(expected: unknown, actual: unknown, ids: Map<string, string | number>): boolean {
  if (typeof actual !== 'string' && typeof actual !== 'number') return false
  const key = String(expected)
  if (!ids.has(key)) ids.set(key, actual)
  return ids.get(key) === actual
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const difference = check()
    if (difference !== null) return difference
  }
  return null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
