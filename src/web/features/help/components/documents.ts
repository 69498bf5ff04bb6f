import changes from '../../../../../CHANGELOG.md?raw'
import commandLine from '../../../../../docs/command-line.md?raw'
import operations from '../../../../../docs/operations.md?raw'
import userGuide from '../../../../../docs/user-guide.md?raw'

/** Documents by their name in the URL. */
export const documents = {
  'user-guide': { title: 'User guide', text: userGuide },
  'command-line': { title: 'The command line', text: commandLine },
  changes: { title: 'What is new', text: changes },
  operations: { title: 'Operations', text: operations },
}

/** Whether a document of this name exists. */
export const isDocument = (name: string): name is keyof typeof documents => Object.hasOwn(documents, name)

const files = import.meta.glob<string>('../../../../../docs/screenshots/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** URLs of the images, by file name. */
export const pictures = Object.fromEntries(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
)
