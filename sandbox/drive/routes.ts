import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { callerOf } from '../api-call.ts'
import { DriveError } from '../error-reply.ts'
import { notInSandbox } from '../google-error.ts'
import type { Account } from '../identity/accounts.ts'
import type { Identity } from '../identity/identity.ts'
import type { Books } from '../sheets/books.ts'
import type { Book } from '../sheets/model/book.ts'
import { masked } from './fields.ts'
import { fileOf, person, spreadsheetType } from './file.ts'
import { listFiles } from './list.ts'
import { permissionRoutes } from './permissions.ts'

const defaultFields = 'kind,id,name,mimeType'

const FieldsQuery = z.object({ fields: z.string().optional() })
const FileBody = z
  .object({
    name: z.string().nullish(),
    mimeType: z.string().nullish(),
    trashed: z.boolean().nullish(),
  })
  .nullish()

export type DriveDeps = { books: Books; identity: Identity }

/** Drive v3 for the one kind of file that there is here, the spreadsheet. */
export function driveRoutes(app: FastifyInstance, deps: DriveDeps): void {
  const { books, identity } = deps

  app.get('/drive/v3/about', async (request) => {
    const viewer = viewerOf(request, identity)
    const { fields } = FieldsQuery.parse(request.query)
    if (fields === undefined) {
      const message = "The 'fields' parameter is required for this method."
      throw new DriveError(400, 'INVALID_ARGUMENT', message, 'required', 'fields')
    }
    return masked({ kind: 'drive#about', user: person(viewer, viewer) }, fields)
  })

  app.get('/drive/v3/files', async (request) => listFiles(request.query, viewerOf(request, identity), deps))

  app.post('/drive/v3/files', async (request) => {
    const viewer = viewerOf(request, identity)
    const body = readBody(request)
    if (body?.mimeType !== spreadsheetType) throw notInSandbox(`a file of type ${body?.mimeType ?? '(none)'}`)
    const book = books.create({ title: body.name ?? 'Untitled', owner: viewer.email })
    return answer(request, book, viewer)
  })

  app.get('/drive/v3/files/:fileId', async (request) => {
    const viewer = viewerOf(request, identity)
    return answer(request, visible(request, deps), viewer)
  })

  app.patch('/drive/v3/files/:fileId', async (request) => {
    const viewer = viewerOf(request, identity)
    const book = visible(request, deps)
    const body = readBody(request)
    if (!book.canWrite(viewer.email)) throw insufficient()
    if (typeof body?.trashed === 'boolean' && book.owner !== viewer.email) throw insufficient()
    const title = body?.name ?? book.title
    const changed = books.describe(book.id, { title, trashed: body?.trashed ?? book.trashed })
    return answer(request, changed, viewer)
  })

  app.delete('/drive/v3/files/:fileId', async (request, reply) => {
    const viewer = viewerOf(request, identity)
    const book = visible(request, deps)
    if (book.owner !== viewer.email) throw insufficient()
    books.delete(book.id)
    return reply.code(204).send()
  })

  app.post('/drive/v3/files/:fileId/copy', async (request) => {
    const viewer = viewerOf(request, identity)
    const source = visible(request, deps)
    const title = readBody(request)?.name ?? `Copy of ${source.title}`
    return answer(request, books.copy(source.id, title, viewer.email), viewer)
  })

  app.get('/drive/v3/files/:fileId/comments', async (request) => {
    visible(request, deps)
    return { comments: [] }
  })

  permissionRoutes(app, deps)

  function answer(request: FastifyRequest, book: Book, viewer: Account) {
    const { fields = defaultFields } = FieldsQuery.parse(request.query)
    return masked(fileOf(book, viewer, identity), fields)
  }
}

/** The account on whose behalf the request is made. */
export function viewerOf(request: FastifyRequest, identity: Identity): Account {
  return identity.account(callerOf(request).email)
}

/** The file in the path. Throws 404 also when the caller may not see it, as Drive does. */
export function visible(request: FastifyRequest, { books }: DriveDeps): Book {
  const { fileId } = z.object({ fileId: z.string() }).parse(request.params)
  const book = books.get(fileId)
  if (book?.canRead(callerOf(request).email)) return book
  throw new DriveError(404, 'NOT_FOUND', `File not found: ${fileId}.`, 'notFound', 'fileId')
}

/** 403 for what needs a stronger role. */
export function insufficient(): DriveError {
  const message = 'The user does not have sufficient permissions for this file.'
  return new DriveError(403, 'PERMISSION_DENIED', message, 'insufficientFilePermissions')
}

function readBody(request: FastifyRequest) {
  const body = FileBody.safeParse(request.body)
  if (!body.success) throw new DriveError(400, 'INVALID_ARGUMENT', 'Parse Error', 'parseError')
  return body.data
}
