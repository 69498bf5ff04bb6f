import { limits } from '../../../../contract/limits.ts'

/** A value, truncated to 97 characters and dots. */
export const cutText = (text: string): string =>
  text.length <= limits.compiled_text_shown ? text : `${firstOf(text, limits.compiled_text_cut)}...`

// an explanation can name hundreds of fields
const EXPLANATION_SHOWN = 400

/** Explanation of a record's flags, truncated for the dialog. */
export const cutExplanation = (text: string): string =>
  text.length <= EXPLANATION_SHOWN ? text : `${firstOf(text, EXPLANATION_SHOWN)}...`

function firstOf(text: string, characters: number): string {
  const cut = text.slice(0, characters)
  // do not split a surrogate pair
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}
