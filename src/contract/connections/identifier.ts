import * as z from 'zod/mini'
import { sourceMessages } from '../source-tasks/client-messages.ts'

/** Name of a connection, as source tasks refer to it: 2 to 60 letters, digits, `_` and `-`. */
export const Identifier = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{2,60}$/, sourceMessages.identifier_invalid))
