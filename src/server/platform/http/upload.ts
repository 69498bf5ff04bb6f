import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Upload } from '../../../contract/calls.ts'
import { NamedError } from '../errors.ts'
import { refuseHostile } from './json-body.ts'
import { parseInput } from './parse.ts'

/** A completely received upload. The file at `path` is removed after the call. */
export type ReceivedFile = {
  /** As named by the browser, without folders. */
  filename: string
  content_type: string
  bytes: number
  path: string
  /** The other fields of the form, parsed by the declaration's `options`. */
  options: Record<string, unknown>
}

/**
 * Streams the one file of a form to disk. Throws NamedError if it exceeds the limit (during the transfer), is
 * truncated, missing, not the only one, or has another field name than declared.
 */
export async function receiveUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  upload: Upload,
): Promise<ReceivedFile> {
  if (!request.isMultipart()) throw new NamedError('upload_not_form')
  const { files, values } = await receiveParts(request, reply, upload).catch((cause: unknown) => {
    throw isLimit(cause) ? cause : new NamedError('upload_broken', { cause })
  })
  const [file] = files
  if (!file) throw new NamedError('upload_missing', { field: upload.field })
  if (files.length > 1) throw new NamedError('upload_several', { field: upload.field })
  if (file.fieldname !== upload.field) {
    throw new NamedError('invalid', { message: `Unknown field: ${file.fieldname}`, field: file.fieldname })
  }
  // The name is stored with the job and shown to other users.
  refuseHostile({ filename: file.filename })

  const fields = textFields(values)
  refuseHostile(fields)
  return {
    filename: basename(file.filename.replaceAll('\\', '/')),
    content_type: file.mimetype,
    bytes: (await stat(file.path)).size,
    path: file.path,
    options: upload.options ? parseInput(upload.options, fields) : refuseAny(fields),
  }
}

type SavedFile = Pick<MultipartFile, 'fieldname' | 'filename' | 'mimetype'> & { path: string }

// The plugin's own way to store files logs each rejection as an error with a stack, and removes files twice.
async function receiveParts(
  request: FastifyRequest,
  { raw }: FastifyReply,
  upload: Upload,
): Promise<{ files: SavedFile[]; values: Record<string, unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-upload-'))
  const remove = () => void rm(folder, { recursive: true, force: true }).catch(() => undefined)
  if (raw.closed) remove()
  else raw.once('close', remove)
  const limits = { fileSize: upload.max_bytes, files: 2, fields: 20, parts: 22, fieldSize: 10_000 }
  const files: SavedFile[] = []
  let values: Record<string, unknown> = {}
  for await (const part of request.parts({ limits })) {
    values = { ...part.fields }
    if (part.type !== 'file') continue
    const path = join(folder, String(files.length))
    await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    files.push({ fieldname: part.fieldname, filename: part.filename, mimetype: part.mimetype, path })
  }
  return { files, values }
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
