import { randomBytes } from 'node:crypto'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { isAccessDenied, PostgresError } from './errors.ts'
import { reassignOwnership } from './reassign-ownership.ts'

// Temporary superuser for renaming the previous one, which cannot rename itself.
const UPGRADER = 'rowferry_upgrade'

/** URLs of one server: as its superuser, and as the application with its database. */
export type Access = { adminUrl: string; applicationUrl: string }

/**
 * Creates the application's role and database if they do not exist. The role is not a superuser: if an earlier
 * version made it one, that superuser gets the administrator's name, and a new role with the old name receives
 * everything it owned. Throws PostgresError if neither can connect.
 */
export async function ensureApplicationRole(access: Access): Promise<void> {
  if (await isSettled(access)) return
  if (!(await mayEnter(access.adminUrl))) await demote(access)
  await withClient(access.adminUrl, async (admin) => {
    const { role, password, database } = partsOf(access.applicationUrl)
    await admin.query(`drop role if exists ${UPGRADER}`)
    const known = await admin.query('select from pg_roles where rolname = $1', [role])
    await admin.query(
      `${known.rowCount === 0 ? 'create' : 'alter'} role ${escapeIdentifier(role)} login nosuperuser password ${escapeLiteral(password)}`,
    )
    const made = await admin.query('select from pg_database where datname = $1', [database])
    await admin.query(
      made.rowCount === 0
        ? `create database ${escapeIdentifier(database)} owner ${escapeIdentifier(role)}`
        : `alter database ${escapeIdentifier(database)} owner to ${escapeIdentifier(role)}`,
    )
  })
}

/** Whether there is nothing to do, as at every start but the first. */
async function isSettled({ applicationUrl }: Access): Promise<boolean> {
  if (!(await mayEnter(applicationUrl))) return false
  return withClient(applicationUrl, async (client) => {
    const { rows } = await client.query<{ settled: boolean }>(
      `select not r.rolsuper and d.datdba = r.oid and not exists (select from pg_roles where rolname = $1) as settled
       from pg_roles r, pg_database d
       where r.rolname = current_user and d.datname = current_database()`,
      [UPGRADER],
    )
    return rows[0]?.settled === true
  })
}

/** Renames the superuser that has the application's name to the administrator. */
async function demote({ adminUrl, applicationUrl }: Access): Promise<void> {
  const { role, password, database } = partsOf(applicationUrl)
  const admin = partsOf(adminUrl)
  const upgrader = new URL(applicationUrl)
  upgrader.username = UPGRADER
  upgrader.password = randomBytes(24).toString('base64url')

  const asBefore = new URL(applicationUrl)
  asBefore.pathname = admin.database
  if (!(await mayEnter(asBefore.href))) {
    throw new PostgresError('its passwords are not those that we have')
  }
  const hasDatabase = await withClient(asBefore.href, async (client) => {
    const { rows } = await client.query('select from pg_roles where rolname = current_user and rolsuper')
    if (rows.length === 0) throw new PostgresError(`it does not let its administrator ${admin.role} in`)
    await client.query(`drop role if exists ${UPGRADER}`)
    await client.query(`create role ${UPGRADER} login superuser password ${escapeLiteral(upgrader.password)}`)
    const found = await client.query('select from pg_database where datname = $1', [database])
    return found.rowCount === 1
  })
  if (!hasDatabase) upgrader.pathname = admin.database
  await withClient(upgrader.href, async (client) => {
    await client.query('begin')
    await client.query(`alter role ${escapeIdentifier(role)} rename to ${escapeIdentifier(admin.role)}`)
    await client.query(`alter role ${escapeIdentifier(admin.role)} password ${escapeLiteral(admin.password)}`)
    await client.query(`create role ${escapeIdentifier(role)} login password ${escapeLiteral(password)}`)
    await reassignOwnership(client, { from: admin.role, to: role })
    await client.query('commit')
  })
}

function partsOf(url: string): { role: string; password: string; database: string } {
  const { username, password, pathname } = new URL(url)
  return {
    role: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** False if the role or database does not exist, or the password is wrong. */
async function mayEnter(url: string): Promise<boolean> {
  try {
    await withClient(url, async () => {})
    return true
  } catch (error) {
    if (isAccessDenied(error)) return false
    throw error
  }
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Without a listener, a server that ends while the connection closes would end the process; queries report it
  // themselves.
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end()
  }
}
