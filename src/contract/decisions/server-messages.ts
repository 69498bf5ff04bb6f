import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

const inQuotes = (text: string) => `“${quoted(text)}”`

/** Messages of the server about decisions. */
export const decisionServerMessages = {
  not_compiled: 'Compile the configuration first: it has no fields yet.',
  field_unknown: (field: string) => `The records have no field ${inQuotes(field)}. Name one of their fields.`,
  text_other: (text: string) =>
    `${inQuotes(text)} is not one of the values that disagree. Choose one of them.`,
  same_texts: 'The values do not disagree: name at least two different ones.',
  source_other: 'The configuration does not compile this source. Choose one of its sources.',
  field_grouped: (field: string, fields: readonly string[]) =>
    `${inQuotes(field)} comes from one source together with ${fields.map(inQuotes).join(', ')}. Prefer a source for it instead.`,
  twice: (field: string) => `The same about ${inQuotes(field)} is decided twice. Decide it once.`,
  too_many: `A configuration has at most ${formatted(limits.decisions_max)} rules. Prefer a source for a field instead, or remove rules first.`,
  select_too_many: `A selection decides at most ${formatted(limits.decisions_selected_max)} disagreements. Filter them first, or prefer a source for a field.`,
} as const

/** A rule as a sentence. */
export const decisionSentence = ({
  field,
  texts,
  text,
  source,
}: {
  field: string
  texts: readonly string[] | null
  text: string | null
  source: string | null
}): string =>
  texts === null
    ? `${field}: always ${inQuotes(source ?? '')} if it has a value`
    : `${field}: ${inQuotes(text ?? '')} where sources have ${texts.map(inQuotes).join(', ')}`
