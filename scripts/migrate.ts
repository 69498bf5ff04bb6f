import { migrate } from '../src/server/platform/migrate.ts'
import { ensureApplicationRole } from '../src/server/platform/postgres/application-role.ts'
import { explain } from './explain.ts'

// For servers that are prepared before their processes start. `npm start` migrates automatically.
const { DATABASE_URL: url, ADMIN_DATABASE_URL: adminUrl } = process.env
if (!url) {
  console.error('DATABASE_URL: must name the database to migrate')
  process.exit(1)
}
try {
  // With a superuser URL, also creates the role and the database of DATABASE_URL.
  if (adminUrl) await ensureApplicationRole({ adminUrl, applicationUrl: url })
  const applied = await migrate({ url })
  for (const { version, name } of applied) console.log(`Applied ${version} ${name}`)
  if (applied.length === 0) console.log('Nothing to apply')
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
