import { z } from 'zod'
import { GoogleError } from '../google-error.ts'

const minute = 60_000
const googlesLimits = { per_project: 300, per_user: 60 }

export const QuotaSettings = z.strictObject({
  enabled: z.boolean(),
  /** Limit per minute for reads and for writes. */
  per_project: z.int().min(1).default(googlesLimits.per_project),
  per_user: z.int().min(1).default(googlesLimits.per_user),
})
export type QuotaSettings = z.infer<typeof QuotaSettings>

export type QuotaUse = {
  read: number
  write: number
  users: { email: string; read: number; write: number }[]
  /** Time at which the counters are reset. */
  resets_at: string
}

type Kind = 'read' | 'write'

/**
 * Counts requests per minute for the project and for each user, reads and writes separately. Counts even if limits are not
 * enforced.
 */
export class Quotas {
  settings: QuotaSettings = { enabled: false, ...googlesLimits }
  readonly #now: () => Date
  #minute = 0
  #counts = new Map<string, number>()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Counts one request. Throws Google's 429 if the limit of the account or project is exceeded. */
  spend(kind: Kind, email: string): void {
    this.#turnTheMinute()
    const { enabled, per_project, per_user } = this.settings
    if (enabled && this.#count(kind, email) >= per_user) throw quotaExceeded(kind, 'user', per_user)
    if (enabled && this.#count(kind) >= per_project) throw quotaExceeded(kind, 'project', per_project)
    this.#counts.set(kind, this.#count(kind) + 1)
    this.#counts.set(`${kind} ${email}`, this.#count(kind, email) + 1)
  }

  use(): QuotaUse {
    this.#turnTheMinute()
    const emails = new Set([...this.#counts.keys()].flatMap((key) => key.split(' ')[1] ?? []))
    return {
      read: this.#count('read'),
      write: this.#count('write'),
      users: [...emails].sort().map((email) => ({
        email,
        read: this.#count('read', email),
        write: this.#count('write', email),
      })),
      resets_at: new Date((this.#minute + 1) * minute).toISOString(),
    }
  }

  reset(): void {
    this.settings = { enabled: false, ...googlesLimits }
    this.#counts.clear()
  }

  #count(kind: Kind, email?: string): number {
    return this.#counts.get(email === undefined ? kind : `${kind} ${email}`) ?? 0
  }

  #turnTheMinute(): void {
    const current = Math.floor(this.#now().getTime() / minute)
    if (current !== this.#minute) this.#counts.clear()
    this.#minute = current
  }
}

/** Literal 429 reply of the Sheets API, which has no Retry-After header. */
export function quotaExceeded(kind: Kind, scope: 'user' | 'project', limit: number): GoogleError {
  const noun = kind === 'read' ? 'Read' : 'Write'
  const per = scope === 'user' ? 'per minute per user' : 'per minute'
  const message =
    `Quota exceeded for quota metric '${noun} requests' and limit '${noun} requests ${per}' ` +
    "of service 'sheets.googleapis.com' for consumer 'project_number:100000000000'."
  return new GoogleError(429, 'RESOURCE_EXHAUSTED', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'RATE_LIMIT_EXCEEDED',
      domain: 'googleapis.com',
      metadata: {
        quota_metric: `sheets.googleapis.com/${kind}_requests`,
        quota_limit: `${noun}RequestsPerMinutePer${scope === 'user' ? 'User' : 'Project'}`,
        quota_limit_value: String(limit),
        quota_location: 'global',
        quota_unit: scope === 'user' ? '1/min/{project}/{user}' : '1/min/{project}',
        consumer: 'projects/100000000000',
        service: 'sheets.googleapis.com',
      },
    },
    {
      '@type': 'type.googleapis.com/google.rpc.Help',
      links: [
        {
          description: 'Request a higher quota limit.',
          url: 'https://cloud.google.com/docs/quotas/help/request_increase',
        },
      ],
    },
  ])
}
