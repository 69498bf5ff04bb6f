import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Name } from '../fields.ts'
import { savedViewMessages as messages } from './client-messages.ts'

/** Lists whose filters can be saved. */
export const FilteredList = z.enum(['sync', 'source', 'runs'])
export type FilteredList = z.infer<typeof FilteredList>

/** Limits of saved views. */
export const savedViewLimits = { query_characters: 2000, per_user: 200 } as const

// As URLSearchParams writes them: a blank is a plus sign, and everything else but these characters is percent-encoded.
const PARAMETER = String.raw`[a-z_]{1,40}=(?:[\w.*+-]|%[0-9A-F]{2})*`
const PARAMETERS = new RegExp(`^${PARAMETER}(?:&${PARAMETER})*$`)

/**
 * The query parameters of a list's page, as URLSearchParams writes them. A page ignores parameters and values that it does not
 * know.
 */
const ViewQuery = z
  .string()
  .check(
    z.maxLength(savedViewLimits.query_characters, messages.query_long),
    z.regex(PARAMETERS, messages.query_invalid),
  )

/** A saved view: the filters of a list under a name. */
export const SavedView = z.object({
  id: Id,
  list: FilteredList,
  name: z.string(),
  /** Query parameters of the list's page. */
  query: z.string(),
  is_shared: z.boolean(),
  owner: z.object({ id: Id, name: z.string() }),
  /** The signed-in user may change and delete it. */
  can_edit: z.boolean(),
})
export type SavedView = z.infer<typeof SavedView>

/** Body of a new view. */
export const NewSavedView = z.strictObject({
  list: FilteredList,
  name: Name,
  query: ViewQuery,
  is_shared: z._default(z.boolean(), false),
})

/** API calls for saved views. Owners change and delete their views; administrators also the shared ones. */
export const savedViews = {
  list: {
    method: 'GET',
    path: '/api/saved_views',
    summary: 'The saved views of the signed-in user and those that others share, by name',
    query: z.strictObject({ list: z.optional(FilteredList) }),
    reply: z.array(SavedView),
  },
  create: {
    method: 'POST',
    path: '/api/saved_views',
    summary: 'Save the filters of a list under a name',
    body: NewSavedView,
    status: 201,
    reply: SavedView,
  },
  update: {
    method: 'PUT',
    path: '/api/saved_views/:id',
    summary: 'Rename, share or replace a saved view; omitted fields keep their value',
    params: IdParams,
    body: z.strictObject({
      name: z.optional(Name),
      query: z.optional(ViewQuery),
      is_shared: z.optional(z.boolean()),
    }),
    reply: SavedView,
  },
  delete: {
    method: 'DELETE',
    path: '/api/saved_views/:id',
    summary: 'Delete a saved view',
    params: IdParams,
    status: 204,
  },
} satisfies Calls
