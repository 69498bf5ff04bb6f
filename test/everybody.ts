import type { EntryLists } from '../src/server/platform/auth/admission.ts'

/** Lists that let everybody in, as in sandbox mode. */
export const everybody: EntryLists = { mode: 'sandbox', allowedEmails: [], allowedDomains: [] }
