/** A number with thousands separators: 1,998. */
export const formatted = (number: number): string => number.toLocaleString('en')
