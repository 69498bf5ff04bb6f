import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DriveError } from '../error-reply.ts'
import { notInSandbox } from '../google-error.ts'
import type { Account } from '../identity/accounts.ts'
import { rootUrl } from '../root-url.ts'
import type { Book } from '../sheets/model/book.ts'
import { type DriveDeps, insufficient, viewerOf, visible } from './access.ts'
import { exported } from './export.ts'
import { masked } from './fields.ts'
import { fileOf, person, spreadsheetType } from './file.ts'
import { listFiles } from './list.ts'
import { permissionRoutes } from './permissions.ts'

const defaultFields = 'kind,id,name,mimeType'

const ExportQuery = z.object({ mimeType: z.string().optional() })
const FieldsQuery = z.object({ fields: z.string().optional() })
const FileBody = z
  .object({
    name: z.string().nullish(),
    mimeType: z.string().nullish(),
    trashed: z.boolean().nullish(),
  })
  .nullish()

/** Drive v3, restricted to spreadsheets. */
export function driveRoutes(app: FastifyInstance, deps: DriveDeps): void {
  const { books, identity, publicUrl } = deps

  app.get('/drive/v3/about', async (request) => {
    const viewer = viewerOf(request, identity)
    const { fields } = FieldsQuery.parse(request.query)
    if (fields === undefined) {
      const message = "The 'fields' parameter is required for this method."
      throw new DriveError(400, 'INVALID_ARGUMENT', message, 'required', 'fields')
    }
    return masked({ kind: 'drive#about', user: person(viewer, viewer) }, fields)
  })

  app.get('/drive/v3/files', async (request) => listFiles(request, viewerOf(request, identity), deps))

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

  app.get('/drive/v3/files/:fileId/export', async (request, reply) => {
    const { type, content } = exported(visible(request, deps), ExportQuery.parse(request.query).mimeType)
    return reply.type(type).send(content)
  })

  permissionRoutes(app, deps)

  function answer(request: FastifyRequest, book: Book, viewer: Account) {
    const { fields = defaultFields } = FieldsQuery.parse(request.query)
    return masked(fileOf(book, viewer, { identity, root: rootUrl(request, publicUrl) }), fields)
  }
}

function readBody(request: FastifyRequest) {
  const body = FileBody.safeParse(request.body)
  if (!body.success) throw new DriveError(400, 'INVALID_ARGUMENT', 'Parse Error', 'parseError')
  return body.data
}
