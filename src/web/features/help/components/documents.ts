import commandLine from '../../../../../docs/command-line.md?raw'
import operations from '../../../../../docs/operations.md?raw'
import userGuide from '../../../../../docs/user-guide.md?raw'

/** The documents that the pages show, by their name in the address. */
export const documents = {
  'user-guide': { title: 'User guide', text: userGuide },
  'command-line': { title: 'The command line', text: commandLine },
  operations: { title: 'Operations', text: operations },
}

/** Whether there is a document of this name. */
export const isDocument = (name: string): name is keyof typeof documents => Object.hasOwn(documents, name)

const files = import.meta.glob<string>('../../../../../docs/screenshots/*.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Addresses of the pictures in them, by name of the file. */
export const pictures = Object.fromEntries(
  Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
)
