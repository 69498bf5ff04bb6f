import * as z from 'zod/mini'
import { fieldMessages } from './field-messages.ts'
import { limits } from './limits.ts'

/** A database id: a whole positive number that fits PostgreSQL's int. */
export const Id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Path parameter `:id`; text in the path, a number for the handler. Anything else is 404. */
export const IdParams = z.strictObject({
  id: z.pipe(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)), Id),
})

/** A number in an address: nothing but its digits, in range. */
export const digits = (name: string, min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, `${name} must be a whole number`)), z.transform(Number)),
    z.int().check(z.minimum(min), z.maximum(max)),
  )

/** A read-only field of an object that is sent back as it was read: any value is accepted and dropped. */
export const Ignored = z.optional(z.unknown())

/** A moment as ISO 8601 in UTC, milliseconds included. */
export const Moment = z.iso.datetime()

// As in a family or a flag: without it they would be several signs.
const JOINED_EMOJI =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu

/** A name of a task or type: trimmed, composed (NFC), 1 to 100 characters, none of them a control, bidi or zero-width one but what joins emoji. */
export const Name = z
  .string({ error: (issue) => (issue.input === undefined ? fieldMessages.name_required : undefined) })
  .check(
    z.normalize('NFC'),
    z.trim(),
    z.minLength(1, fieldMessages.name_required),
    z.maxLength(limits.name_characters, fieldMessages.name_too_long),
    z.refine(
      (name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name.replaceAll(JOINED_EMOJI, '')),
      fieldMessages.name_invisible,
    ),
  )

/** A text with single blanks between its parts, whichever blanks of Unicode it was written with. */
export const singleBlanks = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim()

/** What something is for, in a few lines of text. */
export const Description = z
  .string()
  .check(
    z.normalize('NFC'),
    z.trim(),
    z.maxLength(limits.description_characters, fieldMessages.description_long),
    z.regex(/^(?:\P{Cc}|[\n\t])*$/u, fieldMessages.text_control),
  )

const reduced = z.pipe(
  z.string().check(z.trim()),
  z.transform((text) => /\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? text),
)

/** A spreadsheet id, or any address of the spreadsheet, which is reduced to the id. */
export const SpreadsheetId = z.pipe(
  reduced,
  z
    .string()
    .check(
      z.minLength(limits.spreadsheet_id_characters, fieldMessages.spreadsheet_id_short),
      z.maxLength(200, fieldMessages.spreadsheet_id_invalid),
      z.regex(/^[A-Za-z0-9_-]+$/, fieldMessages.spreadsheet_id_invalid),
    ),
)

/** The same, or blank where there is no spreadsheet. */
export const SpreadsheetIdOrBlank = z.pipe(
  reduced,
  z.string().check(
    z.refine(
      (id) => id === '' || id.length >= limits.spreadsheet_id_characters,
      fieldMessages.spreadsheet_id_short,
    ),
    z.maxLength(200, fieldMessages.spreadsheet_id_invalid),
    z.regex(/^[A-Za-z0-9_-]*$/, fieldMessages.spreadsheet_id_invalid),
  ),
)

/** A tab's title, or blank where the first tab is meant: at most 100 characters, none of them a control one. */
export const SheetNameOrBlank = z
  .string()
  .check(
    z.maxLength(limits.sheet_name_characters, fieldMessages.sheet_name_too_long),
    z.regex(/^\P{Cc}*$/u, fieldMessages.sheet_name_control),
  )

/** A tab's title as Google keeps it: 1 to 100 characters, blanks at the ends belong to it. */
export const SheetName = SheetNameOrBlank.check(z.minLength(1, fieldMessages.sheet_name_required))

/** A time of day, 24-hour HH:MM. */
export const TimeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, fieldMessages.time_invalid))

/** Times of day at which a task is due, each once; `["None"]` and an empty list both mean: not scheduled. */
export const ScheduledTimes = z.pipe(
  z.pipe(
    z.array(z.string()),
    z.transform((times) => (times.length === 1 && times[0] === 'None' ? [] : times)),
  ),
  z.array(TimeOfDay).check(
    z.maxLength(limits.scheduled_times_max, fieldMessages.times_too_many),
    z.refine((times) => new Set(times).size === times.length, fieldMessages.time_duplicate),
  ),
)

/** An e-mail address as accounts are compared: lower case. */
export const Email = z.pipe(z.string().check(z.trim(), z.toLowerCase()), z.email().check(z.maxLength(320)))
