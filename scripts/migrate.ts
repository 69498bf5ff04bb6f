import { migrate } from '../src/server/platform/migrate.ts'

// For a server that is prepared before its processes start; `npm start` does it by itself.
const url = process.env.DATABASE_URL
if (!url) {
  console.error('DATABASE_URL: must name the database to migrate')
  process.exit(1)
}
const applied = await migrate({ url })
for (const { version, name } of applied) console.log(`Applied ${version} ${name}`)
if (applied.length === 0) console.log('Nothing to apply')
