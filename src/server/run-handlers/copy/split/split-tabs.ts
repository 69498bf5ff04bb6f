import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db.ts'

/** A tab of a split task. `id`: null if the task does not have it yet. */
export type SplitTab = {
  id: number | null
  value: string
  target_sheet_name: string
  target_place: string | null
  snapshot_id: number | null
}

/** All tabs that the task has in a spreadsheet, in the order in which they were added. */
export const readSplitTabs = (db: Db, task_id: number, target_ss_id: string): Promise<SplitTab[]> =>
  db
    .selectFrom('split_tabs')
    .select(['id', 'value', 'target_sheet_name', 'target_place', 'snapshot_id'])
    .where('task_id', '=', task_id)
    .where('target_ss_id', '=', target_ss_id)
    .orderBy('id')
    .execute()

/** A tab of a value that the task has none for yet. `place`: the tab id; null: it is found by its name, or created. */
export type NewSplitTab = { value: string; name: string; place: string | null }

/** Adds tabs of values that the task has none for yet. A place that another task has taken is left to it. */
export const addSplitTabs = (
  trx: Trx,
  task_id: number,
  target_ss_id: string,
  tabs: readonly NewSplitTab[],
): Promise<unknown> =>
  sql`
    insert into split_tabs (task_id, target_ss_id, value, target_sheet_name, target_place)
    select ${task_id}, ${target_ss_id}, value, name,
      case when not exists (
        select from split_tabs other where other.target_ss_id = ${target_ss_id} and other.target_place = place
      ) then place end
    from jsonb_to_recordset(${JSON.stringify(tabs)}::jsonb) as tab (value text, name text, place text)
    on conflict on constraint split_tabs_value_key do nothing`.execute(trx)
