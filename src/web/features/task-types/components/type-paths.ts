/** Address of the list of source types. */
export const LIST_PATH = '/source-task-types'

/** Address of the page that adds a source type. */
export const NEW_PATH = `${LIST_PATH}/new`

/** Address of the page that shows a source type whole. */
export const editPath = (id: number) => `${LIST_PATH}/${id}/edit`
