import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

const inQuotes = (text: string) => `“${quoted(text)}”`

/** Messages of the server about overrides. */
export const overrideServerMessages = {
  not_compiled: 'Compile the configuration first: it has no fields yet.',
  field_unknown: (field: string) => `The records have no field ${inQuotes(field)}. Name one of their fields.`,
  ends_on_over: (day: string) => `${day} is over. Choose today or a later day.`,
  twice: (sku: string, field: string) =>
    `${inQuotes(field)} of SKU ${inQuotes(sku)} is set twice. Set it once.`,
  changed: (author: string) =>
    `${author} set another value for this field meanwhile. Reload the record to see it.`,
  too_many: `At most ${formatted(limits.overrides_max)} overrides can apply at once. Drop some first.`,

  select_too_many: `A selection has at most ${formatted(limits.overrides_file_rows - 1)} records. Filter them first.`,

  // notes on states
  set: 'Applies from the next compile on.',
  applied: 'Wins over all sources.',
  no_sku: 'No source has this SKU. It applies when one does.',
  no_field: 'No source has this field any more. It applies when one does.',
  review: (names: readonly string[]) =>
    `Changed since in ${names.map((name) => inQuotes(name)).join(', ')}: keep the override or drop it.`,
  ended: {
    date: 'Ended on its end date.',
    same: 'Ended by itself: the sources have the same value.',
    dropped: (by: string) => `Dropped by ${by}.`,
    replaced: (by: string) => `Replaced by ${by}.`,
    undone: (by: string) => `Undone by ${by}.`,
  },
  exported: (
    field: string,
    { author, reason, ends_on }: { author: string; reason: string; ends_on: string | null },
  ) =>
    `${field}: set by ${author}${ends_on === null ? '' : ` until ${ends_on}`}${reason === '' ? '' : ` (${reason})`}`,
} as const
