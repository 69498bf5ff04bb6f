import { expect, test } from 'vitest'
import { fittedText } from './fitted-text.ts'

// each character is ten pixels wide
const ctx = { measureText: (text: string) => ({ width: 10 * text.length }) }

test.each([
  ['Prices', 60, 1, ['Prices']],
  ['Prices of today', 70, 1, ['Prices…']],
  ['Prices of today', 90, 2, ['Prices of', 'today']],
  ['Prices of today and of tomorrow', 90, 2, ['Prices of', 'today an…']],
  ['prices_of_today', 80, 2, ['prices_o', 'f_today']],
  ['Prices', 0, 1, ['…']],
])('%j within %i pixels and %i lines is %j', (text, width, lines, expected) => {
  expect(fittedText(ctx, text, width, lines)).toEqual(expected)
})
