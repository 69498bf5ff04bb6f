/** A number with thousands separators: 1,998. */
export const formatted = (number: number): string => number.toLocaleString('en')

/** A measured number with at most six significant digits: 0.35, 1,234.5. */
export const measured = (number: number): string =>
  number.toLocaleString('en', { maximumSignificantDigits: 6 })
