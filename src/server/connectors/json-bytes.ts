const BACKSLASH = 0x5c
const ZERO = 0x30
const HEX = Buffer.from('0123456789abcdef')

/** The second byte of two-byte JSON escapes, by the escaped byte: quote, backslash, \b \t \n \f \r. */
const SHORT = new Uint8Array(256)
for (const byte of Buffer.from('"\\\b\t\n\f\r'))
  SHORT[byte] = JSON.stringify(String.fromCharCode(byte)).charCodeAt(2)

/** Whether a byte needs no escape in JSON. */
export const isPlainByte = (byte: number): boolean => byte >= 0x20 && SHORT[byte] === 0

/** Writes a byte escaped as JSON.stringify does, in up to six bytes. Returns the end position. */
export function writeEscaped(to: Uint8Array, at: number, byte: number): number {
  let end = at
  to[end++] = BACKSLASH
  const short = SHORT[byte] ?? 0
  if (short > 0) {
    to[end++] = short
    return end
  }
  to[end++] = 0x75
  to[end++] = ZERO
  to[end++] = ZERO
  to[end++] = HEX[byte >> 4] ?? ZERO
  to[end++] = HEX[byte & 15] ?? ZERO
  return end
}
