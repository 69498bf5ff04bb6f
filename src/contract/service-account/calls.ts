import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'

/** The Google service account of the installation, as shown to every user. */
export const ServiceAccount = z.object({
  /** Null if none is configured. */
  address: z.nullable(z.string()),
  /** An administrator allows tasks to use it. */
  is_allowed: z.boolean(),
  /** Number of sync tasks that use it. */
  tasks_count: z.int(),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

/** API calls for the service account. */
export const serviceAccount = {
  read: {
    method: 'GET',
    path: '/api/service_account',
    summary: 'The service account, and whether tasks may use it',
    reply: ServiceAccount,
  },
  allow: {
    method: 'PUT',
    path: '/api/service_account',
    summary: 'Allow or forbid tasks to use the service account of that address',
    access: 'admin',
    body: z.strictObject({ address: z.string(), is_allowed: z.boolean() }),
    reply: ServiceAccount,
  },
} satisfies Calls
