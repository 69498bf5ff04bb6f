import type { Kysely } from 'kysely'
import { csvJobs } from '../../../contract/csv-jobs/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Database } from '../../platform/schema.ts'
import { listCsvJobs, readCsvJob, readCsvJobFile } from './queries.ts'

type Deps = { db: Kysely<Database> }

/** CSV import and export jobs. */
export const csvJobsFeature: Feature<typeof csvJobs, Deps> = {
  calls: csvJobs,
  handlers: {
    list: ({ query }, { db }) => listCsvJobs(db, query),
    get: ({ params }, { db }) => readCsvJob(db, params.id),
    getByOldPath: ({ params }, { db }) => readCsvJob(db, params.id),
    download: ({ params }, { db }) => readCsvJobFile(db, params.id),
  },
}
