import { folders } from '../../../contract/folders/calls.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { limitFolder } from './commands.ts'
import { readFolders } from './queries.ts'

type Deps = { db: Db; config: Pick<Config, 'filesFolders'> }

/** Who may use which folder of files. */
export const foldersFeature: Feature<typeof folders, Deps> = {
  calls: folders,
  handlers: {
    list: (_, { db, config }) => readFolders(db, config.filesFolders),
    limit: async ({ params: { name }, body, user }, { db, config: { filesFolders } }) => {
      const names = filesFolders.map((folder) => folder.name)
      await limitFolder(db, user, names, { name, ...body })
      const folder = (await readFolders(db, filesFolders)).find((one) => one.name === name)
      if (!folder) throw new NamedError('not_found')
      return folder
    },
  },
}
