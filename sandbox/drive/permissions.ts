import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { callerOf } from '../api-call.ts'
import { DriveError } from '../error-reply.ts'
import { Email } from '../identity/accounts.ts'
import type { Book } from '../sheets/model/book.ts'
import { type DriveDeps, insufficient, visible } from './access.ts'
import { masked } from './fields.ts'
import { anyoneId, permissionOf, permissionsOf } from './file.ts'

const NewPermission = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), role: z.enum(['writer', 'reader']), emailAddress: Email }),
  z.object({ type: z.literal('anyone'), role: z.enum(['writer', 'reader']) }),
])
const FieldsQuery = z.object({ fields: z.string().optional() })
const defaultFields = 'kind,id,type,role'

/** Permissions for an account or for anyone with the link, as writer or reader. */
export function permissionRoutes(app: FastifyInstance, deps: DriveDeps): void {
  const { books, identity } = deps

  app.get('/drive/v3/files/:fileId/permissions', async (request) => {
    const book = visible(request, deps)
    if (!book.canWrite(callerOf(request).email)) throw insufficient()
    const { fields = `kind,permissions(${defaultFields})` } = FieldsQuery.parse(request.query)
    return masked({ kind: 'drive#permissionList', permissions: permissionsOf(book, identity) }, fields)
  })

  app.post('/drive/v3/files/:fileId/permissions', async (request) => {
    const book = visible(request, deps)
    if (!book.canWrite(callerOf(request).email)) throw insufficient()
    const body = NewPermission.safeParse(request.body)
    if (!body.success) {
      throw new DriveError(400, 'INVALID_ARGUMENT', 'The permission type field is required.', 'required')
    }
    const { role } = body.data
    const email = body.data.type === 'anyone' ? 'anyone' : body.data.emailAddress
    if (email !== book.owner) {
      const { readers, writers } = without(book, email)
      books.describe(
        book.id,
        role === 'writer'
          ? { readers, writers: [...writers, email] }
          : { readers: [...readers, email], writers },
      )
    }
    const { fields = defaultFields } = FieldsQuery.parse(request.query)
    return masked(permissionOf(email, email === book.owner ? 'owner' : role, identity), fields)
  })

  app.delete('/drive/v3/files/:fileId/permissions/:permissionId', async (request, reply) => {
    const book = visible(request, deps)
    const caller = callerOf(request).email
    const { permissionId } = z.object({ permissionId: z.string() }).parse(request.params)
    const email = [...book.readers, ...book.writers].find(
      (person) => (person === 'anyone' ? anyoneId : identity.account(person).sub) === permissionId,
    )
    // Every user may remove their own permission.
    if (!book.canWrite(caller) && email !== caller) throw insufficient()
    if (email === undefined) {
      const message = `Permission not found: ${permissionId}.`
      throw new DriveError(404, 'NOT_FOUND', message, 'notFound', 'permissionId')
    }
    books.describe(book.id, without(book, email))
    return reply.code(204).send()
  })
}

function without(book: Book, email: string) {
  const others = (people: readonly string[]) => people.filter((person) => person !== email)
  return { readers: others(book.readers), writers: others(book.writers) }
}
