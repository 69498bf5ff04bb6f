import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'

/** The Google account of the installation itself, as shown to every user. */
export const ServiceAccount = z.object({
  /** Null: none is configured. */
  address: z.nullable(z.string()),
  /** An administrator lets tasks name it. */
  is_allowed: z.boolean(),
  /** Sync tasks that name it. */
  tasks_count: z.int(),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

/** The calls on the service account. */
export const serviceAccount = {
  read: {
    method: 'GET',
    path: '/api/service_account',
    summary: 'The service account, and whether tasks may name it',
    reply: ServiceAccount,
  },
  allow: {
    method: 'PUT',
    path: '/api/service_account',
    summary: 'Allow or forbid all tasks to use the service account of that address',
    access: 'admin',
    body: z.strictObject({ address: z.string(), is_allowed: z.boolean() }),
    reply: ServiceAccount,
  },
} satisfies Calls
