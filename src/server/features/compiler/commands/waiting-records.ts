import { sql } from 'kysely'
import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'
import { waitingCommands } from '../../../tasks/approvals/waiting-versions.ts'

/** Make the records of a compile that waits for an approval the current ones, or discard them. They throw as waitingCommands says. */
export const { accept: acceptRecords, discard: discardRecords } = waitingCommands({
  ...{ category: 'compiler', what: 'records' },
  makeCurrent: async (trx, _actor, { id, snapshot_id }) => {
    await trx
      .updateTable('tasks')
      .set({ snapshot_id, before_snapshot_id: sql<number | null>`snapshot_id` })
      .where('id', '=', id)
      .execute()
    // Overrides are settled by the next compile, which merges again because it does not know from what this one was merged.
    await trx
      .updateTable('compiled_versions')
      .set({ merged_from: null })
      .where('snapshot_id', '=', snapshot_id)
      .execute()
    return undefined
  },
  messages: {
    accepted: compilerServerMessages.records_accepted,
    discarded: compilerServerMessages.records_discarded,
  },
})
