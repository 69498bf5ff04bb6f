import * as z from 'zod/mini'

/** Encodings of CSV files. */
export const FileEncoding = z.enum([
  'utf-8',
  'windows-1252',
  'windows-1250',
  'iso-8859-15',
  'shift_jis',
  'utf-16le',
  'utf-16be',
])
