import type { ReadyByBody } from '../../../../contract/forecast/calls.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { saveReadyBy } from '../../../tasks/forecast/save-ready-by.ts'

/** Sets or removes the time by which a task, type or target spreadsheet has to be ready. Throws the NamedErrors of `saveReadyBy`. */
export const setReadyBy = async (db: Db, actor: Actor, { ready_by, ...subject }: ReadyByBody) => ({
  status: 'success' as const,
  message: await db.transaction().execute((trx) => saveReadyBy(trx, actor, subject, ready_by)),
})
