/** A number in a text, with its thousands apart: 1,998. */
export const formatted = (number: number): string => number.toLocaleString('en')
