/** A column name in the form in which it is compared: Unicode NFC, trimmed. */
export const plainName = (name: string): string => name.normalize('NFC').trim()
