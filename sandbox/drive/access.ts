import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { callerOf } from '../api-call.ts'
import { DriveError } from '../error-reply.ts'
import type { Account } from '../identity/accounts.ts'
import type { Identity } from '../identity/identity.ts'
import type { Books } from '../sheets/books.ts'
import type { Book } from '../sheets/model/book.ts'

export type DriveDeps = { books: Books; identity: Identity; publicUrl: string | undefined }

/** Account of the request's token. */
export function viewerOf(request: FastifyRequest, identity: Identity): Account {
  return identity.account(callerOf(request).email)
}

/** Returns the file of the path. Like Drive, throws 404 also if the caller has no access. */
export function visible(request: FastifyRequest, { books }: DriveDeps): Book {
  const { fileId } = z.object({ fileId: z.string() }).parse(request.params)
  const book = books.get(fileId)
  if (book?.canRead(callerOf(request).email)) return book
  throw new DriveError(404, 'NOT_FOUND', `File not found: ${fileId}.`, 'notFound', 'fileId')
}

/** 403 for operations that need a higher role. */
export function insufficient(): DriveError {
  const message = 'The user does not have sufficient permissions for this file.'
  return new DriveError(403, 'PERMISSION_DENIED', message, 'insufficientFilePermissions')
}
