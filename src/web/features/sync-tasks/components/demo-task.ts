import { useMutation, useQueryClient } from '@tanstack/react-query'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { newValues, type TaskValues } from '../editor/task-form.ts'
import { typesQuery } from './choices.ts'

const demoType = 'Catalogue'

// The sandbox creates them with these ids.
const master = '1Demo-CatalogueMaster-0000000000000000000001'
const shop = '1Demo-WebShop---------0000000000000000000005'

/** Values of a task between the demo spreadsheets of the sandbox; it runs only on request. */
export const demoValues = (type_id: number, chunk_size: number): TaskValues => ({
  ...newValues(chunk_size),
  sync_task_type_id: String(type_id),
  name: 'Catalogue to web shop',
  source_ss_id: master,
  source_sheet_name: 'Products',
  target_ss_id: shop,
  target_sheet_name: 'Products',
  scheduled_times: [],
})

/** Creates the type of the demo task unless it exists; returns its id. */
export function useDemoType() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const types = await client.fetchQuery({ ...typesQuery, staleTime: 0 })
      const known = types.find(({ name }) => name === demoType)
      if (known) return known.id
      const { id } = await call(syncTaskTypes.create, { body: { name: demoType } })
      await client.invalidateQueries(typesQuery)
      return id
    },
    onError: (error) => toast.error(reasonOf(error, syncTaskMessages.try_demo_failed)),
  })
}
