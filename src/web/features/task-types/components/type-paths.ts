import * as z from 'zod/mini'

/** Path of the list of source types. */
export const LIST_PATH = '/source-task-types'

/** Path of the form for a new source type. */
export const NEW_PATH = `${LIST_PATH}/new`

/** Path of the form of a source type. */
export const editPath = (id: number) => `${LIST_PATH}/${id}/edit`

/** Navigation state from the list to a form: the filters that the way back restores. */
export const fromList = (search: string) => ({ list: search })

const FromList = z.object({ list: z.string().check(z.regex(/^(?:\?.*)?$/)) })

/** Path of the list with the filters in the navigation state. */
export const listAddress = (state: unknown): string =>
  `${LIST_PATH}${z.safeParse(FromList, state).data?.list ?? ''}`
