import { z } from 'zod'
import { messages } from './messages.ts'

/** Body of every answer that is not a success; `error` and `message` are the same text, for a person. */
export const ErrorBody = z.object({
  error: z.string(),
  message: z.string(),
  field: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
})
export type ErrorBody = z.infer<typeof ErrorBody>

/** The catalogue of named errors: HTTP status and the text for a person; where a case says more, it brings its own text. */
export const errors = {
  invalid: { status: 400, message: 'The request is not valid.' },
  address_broken: { status: 400, message: 'The address is not valid.' },
  body_missing: { status: 400, message: 'The request needs a JSON body.' },
  body_not_json: { status: 400, message: 'The request body is not valid JSON.' },
  body_too_deep: { status: 400, message: 'The request body is nested too deeply.' },
  upload_missing: { status: 400, message: 'Choose a file to upload.' },
  upload_several: { status: 400, message: 'Upload one file at a time.' },
  upload_broken: { status: 400, message: 'The upload ended early or is not valid. Please try again.' },
  source_spreadsheet_required: { status: 400, message: messages.source_spreadsheet_required },
  source_is_target: { status: 400, message: messages.source_is_target },
  config_required: { status: 400, message: messages.config_required },
  account_not_shared: { status: 400, message: 'A named account does not share its access.' },
  column_unknown: { status: 400, message: 'There is no such column in the copied data.' },
  depends_on_itself: { status: 400, message: messages.depends_on_itself },
  disable_yourself: { status: 400, message: messages.disable_yourself },
  type_in_use: { status: 400, message: 'Tasks or other task types refer to this type.' },
  unauthenticated: { status: 401, message: 'Please sign in to continue.' },
  forgery: {
    status: 403,
    message: 'The request was refused: its anti-forgery token is missing or wrong. Reload the page.',
  },
  not_allowed: { status: 403, message: 'This is for administrators only.' },
  no_grant: { status: 403, message: 'Google access is missing. Sign in again to grant it.' },
  spreadsheet_forbidden: { status: 403, message: 'Your account may not open this spreadsheet.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  sync_task_not_found: { status: 404, message: messages.sync_task_not_found },
  preset_not_found: { status: 404, message: 'Sync preset not found.' },
  user_not_found: { status: 404, message: 'User not found.' },
  type_not_found: { status: 404, message: 'Task type not found.' },
  spreadsheet_not_found: {
    status: 404,
    message: 'There is no spreadsheet with this id, or it is not shared with you.',
  },
  method_not_allowed: { status: 405, message: 'This address does not take that method.' },
  name_taken: { status: 409, message: messages.name_taken },
  source_target_taken: { status: 409, message: messages.source_target_taken },
  target_taken: { status: 409, message: messages.target_taken },
  type_name_taken: { status: 409, message: messages.type_name_taken },
  preset_name_taken: { status: 409, message: messages.preset_name_taken },
  preset_in_use: { status: 409, message: 'Tasks use this preset.' },
  stale_update: { status: 409, message: messages.stale_update },
  live_delete: { status: 409, message: messages.live_delete },
  live_edit: { status: 409, message: messages.live_edit },
  circular_dependency: { status: 409, message: messages.circular_dependency },
  too_large: { status: 413, message: 'The request is too large.' },
  file_too_large: { status: 413, message: 'The file is too large.' },
  unsupported_type: { status: 415, message: 'The request must be uncompressed JSON.' },
  upload_not_form: { status: 415, message: 'The request must be a form with a file.' },
  type_gone: { status: 422, message: 'The task type no longer exists.' },
  preset_gone: { status: 422, message: 'The sync preset no longer exists.' },
  config_gone: { status: 422, message: 'The compiler configuration no longer exists.' },
  dependency_gone: { status: 422, message: 'The task type to depend on no longer exists.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  http_broken: { status: 400, message: 'The request is not valid HTTP.' },
  too_many_requests: { status: 429, message: 'Too many requests. Please wait a moment.' },
  unexpected: { status: 500, message: messages.unexpected },
  google_unavailable: { status: 503, message: 'Google does not answer at the moment. Please try again.' },
  unavailable: { status: 503, message: 'The database is not reachable at the moment. Please try again.' },
} as const

/** Name of an error in the catalogue. */
export type ErrorName = keyof typeof errors
