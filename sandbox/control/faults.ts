import { z } from 'zod'
import { seededRandom } from '../seeded-random.ts'

/** Effect of each fault on a matching request. */
export const faultMeanings = {
  latency: 'serves it, but later',
  '429': 'refuses it as over quota',
  '500': 'refuses it with an internal error',
  '503': 'refuses it as unavailable',
  timeout: 'does nothing and never answers',
  'execute-then-timeout': 'carries it out, then never answers',
  reset: 'does nothing and resets the connection',
  'execute-then-reset': 'carries it out, then resets the connection',
  'half-body': 'carries it out and breaks off in the middle of the answer',
  'slow-body': 'carries it out and answers byte by byte',
  html: 'does nothing and answers 200 with a page of HTML',
  'broken-json': 'carries it out and answers 200 with JSON that does not parse',
  'revoked-grant': "revokes the account's grants: 401 now, invalid_grant at the next refresh",
  'permission-lost': 'refuses it as if the file were no longer shared',
  'stale-reads': 'answers a read that follows a write with what the same read gave before it',
  'loading-cells': 'answers a read of values with cells that still say "Loading..."',
} as const

type FaultKind = keyof typeof faultMeanings
const kinds = Object.keys(faultMeanings).filter((kind): kind is FaultKind => kind in faultMeanings)

const readFaults = new Set<FaultKind>(['stale-reads', 'loading-cells'])

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)])

export const Fault = z.strictObject({
  // Also accepts underscores (execute_then_timeout) and numbers.
  kind: z.preprocess((kind) => String(kind).replaceAll('_', '-'), z.enum(kinds)),
  match: z
    .strictObject({
      kind: z.enum(['read', 'write']).optional(),
      /** Email addresses; `*` matches any characters. */
      account: oneOrMore.optional(),
      spreadsheet_id: oneOrMore.optional(),
      /** HTTP methods or Google's method names such as `spreadsheets.values.get`; `*` matches any characters. */
      method: oneOrMore.optional(),
    })
    .default({}),
  /** Number of matching requests before the fault is removed. Default: unlimited. */
  count: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  /**
   * Milliseconds: delay of a latency, time until a timeout closes the connection, or interval between the bytes of a slow body.
   */
  ms: z.int().min(0).max(600_000).optional(),
  /** Random part that is added to a latency. */
  jitter_ms: z.int().min(0).max(600_000).optional(),
})
export type Fault = z.infer<typeof Fault>

export const FaultSettings = z.strictObject({
  faults: z.array(Fault),
  /** Seed for reproducible probabilities. */
  seed: z.int().optional(),
})

/** Properties of a request that faults are matched against. */
export type FaultTarget = {
  kind: 'read' | 'write'
  account: string
  spreadsheetId: string | null
  method: string
  apiMethod: string
}

type Armed = Fault & { left: number }

/** Active faults with their remaining counts. */
export class Faults {
  #armed: Armed[] = []
  #random: () => number = Math.random

  set(faults: Fault[], seed?: number): void {
    this.#armed = faults.map((fault) => ({ ...fault, left: fault.count ?? Number.POSITIVE_INFINITY }))
    this.#random = seed === undefined ? Math.random : seededRandom(seed)
  }

  /** Active faults; `count` is the remaining number, and used-up faults are removed. */
  list(): Fault[] {
    return this.#armed
      .filter((fault) => fault.left > 0)
      .map(({ left, ...fault }) => (fault.count === undefined ? fault : { ...fault, count: left }))
  }

  isOn(kind: FaultKind): boolean {
    return this.#armed.some((fault) => fault.kind === kind && fault.left > 0)
  }

  /** Returns the faults for a request and decrements their counts: every latency, and the first match of the other kinds. */
  take(target: FaultTarget): Fault[] {
    const hit: Armed[] = []
    for (const fault of this.#armed) {
      if (fault.left <= 0 || !matches(fault, target)) continue
      if (fault.kind !== 'latency' && hit.some((earlier) => earlier.kind !== 'latency')) continue
      if (fault.probability !== undefined && this.#random() >= fault.probability) continue
      fault.left -= 1
      hit.push(fault)
    }
    return hit
  }

  /** Restores the count of a fault that did not apply to its request. */
  giveBack(fault: Fault): void {
    const armed = this.#armed.find((candidate) => candidate === fault)
    if (armed !== undefined) armed.left += 1
  }
}

function matches(fault: Fault, target: FaultTarget): boolean {
  const { kind, account, spreadsheet_id, method } = fault.match
  if (readFaults.has(fault.kind) && target.kind !== 'read') return false
  return (
    (kind === undefined || kind === target.kind) &&
    (account === undefined || account.some((pattern) => glob(pattern, target.account))) &&
    (spreadsheet_id === undefined || spreadsheet_id.includes(target.spreadsheetId ?? '')) &&
    (method === undefined ||
      method.some((pattern) => glob(pattern, target.method) || glob(pattern, target.apiMethod)))
  )
}

function glob(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(text)
}
