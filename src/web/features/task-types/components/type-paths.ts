import * as z from 'zod/mini'

/** Address of the list of source types. */
export const LIST_PATH = '/source-task-types'

/** Address of the page that adds a source type. */
export const NEW_PATH = `${LIST_PATH}/new`

/** Address of the page that shows a source type whole. */
export const editPath = (id: number) => `${LIST_PATH}/${id}/edit`

/** What a way from the list to a form carries along: the list's filters, to which the form returns. */
export const fromList = (search: string) => ({ list: search })

const FromList = z.object({ list: z.string().check(z.regex(/^(?:\?.*)?$/)) })

/** Address of the list as a form was opened from it. */
export const listAddress = (state: unknown): string =>
  `${LIST_PATH}${z.safeParse(FromList, state).data?.list ?? ''}`
