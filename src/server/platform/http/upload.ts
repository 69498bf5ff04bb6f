import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { Upload } from '../../../contract/calls.ts'
import { NamedError } from '../errors.ts'
import { refuseHostile } from './json-body.ts'
import { parseInput } from './parse.ts'

/** An upload that arrived whole. The file at `path` is removed once the call is answered. */
export type ReceivedFile = {
  /** As the browser named it, without folders. */
  filename: string
  content_type: string
  bytes: number
  path: string
  /** The form's other fields, parsed by the declaration's `options`. */
  options: Record<string, unknown>
}

/**
 * Takes the one file of a form onto disk, never into memory. Throws NamedError when it passes the limit (while it is
 * still arriving), ends early, is missing, is not alone, or comes under another name than the declaration's.
 */
export async function receiveUpload(request: FastifyRequest, upload: Upload): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new NamedError('upload_not_form')
  const limits = { fileSize: upload.max_bytes, files: 2, fields: 20, parts: 22, fieldSize: 10_000 }
  const { files, values } = await request.saveRequestFiles({ limits }).catch((cause: unknown) => {
    throw isLimit(cause) ? cause : new NamedError('upload_broken', { cause })
  })
  const [file] = files
  if (!file) throw new NamedError('upload_missing', { field: upload.field })
  if (files.length > 1) throw new NamedError('upload_several', { field: upload.field })
  if (file.fieldname !== upload.field) {
    throw new NamedError('invalid', { message: `Unknown field: ${file.fieldname}`, field: file.fieldname })
  }
  if (file.file.truncated) throw new NamedError('file_too_large', { field: upload.field })

  const fields = textFields(values)
  refuseHostile(fields)
  return {
    filename: basename(file.filename.replaceAll('\\', '/')),
    content_type: file.mimetype,
    bytes: (await stat(file.filepath)).size,
    path: file.filepath,
    options: upload.options ? parseInput(upload.options, fields) : refuseAny(fields),
  }
}

function textFields(values: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, parts] of Object.entries(values)) {
    const part = Array.isArray(parts) && parts.length === 1 ? parts[0] : parts
    if (isField(part)) fields[name] = part.value
    else if (Array.isArray(part)) fields[name] = part.filter(isField).map(({ value }) => value)
  }
  return fields
}

function refuseAny(fields: Record<string, unknown>): Record<string, unknown> {
  const [name] = Object.keys(fields)
  if (name !== undefined) throw new NamedError('invalid', { message: `Unknown field: ${name}`, field: name })
  return fields
}

function isField(part: unknown): part is { type: 'field'; value: unknown } {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'field'
}

function isLimit(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413
}
