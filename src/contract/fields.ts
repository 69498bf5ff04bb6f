import * as z from 'zod/mini'
import { fieldMessages } from './field-messages.ts'
import { isFilePath, isUpload } from './files/providers.ts'
import { limits } from './limits.ts'

/** A database id that fits PostgreSQL's integer. */
export const Id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

/** Path parameter `:id`: text in the path, a number for the handler. Any other text is 404. */
export const IdParams = z.strictObject({
  id: z.pipe(z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)), Id),
})

/** A decimal number in a URL, digits only, in a range. */
export const digits = (name: string, min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, `${name} must be a whole number`)), z.transform(Number)),
    z.int().check(z.minimum(min), z.maximum(max)),
  )

/** A read-only field that clients may send back: any value is accepted and ignored. */
export const Ignored = z.optional(z.unknown())

/** ISO 8601 timestamp in UTC with milliseconds. */
export const Moment = z.iso.datetime()

// zero-width joiners and tags within emoji, such as families and flags
const JOINED_EMOJI =
  /(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu

/** Name of a task or type: trimmed, NFC, 1 to 100 characters without control, bidi and zero-width ones, except within emoji. */
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

/** Replaces each run of Unicode white space by one blank, and trims. */
export const singleBlanks = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim()

/** A multi-line description. */
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

/** A spreadsheet id, or a URL of the spreadsheet, which is reduced to its id. */
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

/** A folder and a path below it, such as Suppliers/2026/prices.xlsx. The file's own name may have `*` for any characters. */
const FilePath = z.string().check(
  z.maxLength(limits.file_path_characters, fieldMessages.file_path_long),
  z.regex(/^[^/\\:\p{Cc}]+(?:\/[^/\\:\p{Cc}]+)+$/u, fieldMessages.file_path_invalid),
  z.refine((path) => !path.split('/').some((name) => /^\.\.?$/.test(name)), fieldMessages.file_path_invalid),
)

const spreadsheetOrFile = (spreadsheet: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.string().check(z.trim()),
    z.string().check(
      z.superRefine((text, context) => {
        const { error } = (isFilePath(text) ? FilePath : spreadsheet).safeParse(text)
        for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message })
      }),
      z.overwrite((text) => (isFilePath(text) ? text : (spreadsheet.safeParse(text).data ?? text))),
    ),
  )

/** The same, or blank for no spreadsheet. */
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

/** A spreadsheet id or URL, or the path of a file. */
export const SpreadsheetOrFile = spreadsheetOrFile(SpreadsheetId)

/** The same, or blank for no spreadsheet. */
export const SpreadsheetOrFileOrBlank = spreadsheetOrFile(SpreadsheetIdOrBlank)

/** The same without uploaded files, which only source tasks read. */
export const SpreadsheetOrFolderFileOrBlank = SpreadsheetOrFileOrBlank.check(
  z.refine((id) => !isUpload(id), fieldMessages.upload_of_source_tasks),
)

/** Title of a tab, or blank for the first tab: at most 100 characters without control characters. */
export const SheetNameOrBlank = z
  .string()
  .check(
    z.maxLength(limits.sheet_name_characters, fieldMessages.sheet_name_too_long),
    z.regex(/^\P{Cc}*$/u, fieldMessages.sheet_name_control),
  )

/** Title of a tab: 1 to 100 characters; Google keeps leading and trailing blanks. */
export const SheetName = SheetNameOrBlank.check(z.minLength(1, fieldMessages.sheet_name_required))

/** Time of day, 24-hour HH:MM. */
export const TimeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, fieldMessages.time_invalid))

/** Distinct times of day at which a task is due. `["None"]` and an empty list both mean: not scheduled. */
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

/** A mail address in lower case. */
export const Email = z.pipe(z.string().check(z.trim(), z.toLowerCase()), z.email().check(z.maxLength(320)))
