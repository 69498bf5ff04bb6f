import * as z from 'zod/mini'

/** Body of an error reply: its name in the catalogue; `error` and `message` are the same text. */
export const ErrorBody = z.object({
  code: z.string(),
  error: z.string(),
  message: z.string(),
  field: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  request_id: z.string(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
