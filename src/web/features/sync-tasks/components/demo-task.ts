import { useMutation, useQueryClient } from '@tanstack/react-query'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { typesQuery } from './choices.ts'
import { newValues, type TaskValues } from './task-form.ts'

const demoType = 'Catalogue'

// as the sandbox makes them, always under these ids
const master = '1Demo-CatalogueMaster-0000000000000000000001'
const shop = '1Demo-WebShop---------0000000000000000000005'

/** A task between the demo spreadsheets of the sandbox, ready to be added; it runs only on request. */
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

/** Makes the type of the demo task, where there is none of its name; returns its id. */
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
