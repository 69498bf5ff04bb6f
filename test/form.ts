/** A part of a form; by default a CSV file in the field `file`. */
export type Part = { content: string | Buffer; name?: string; filename?: string; mime?: string }

/** The type to send `form` with. */
export const formType = 'multipart/form-data; boundary=border'

/** The body of a form with these files. */
export function form(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ content, name = 'file', filename = 'tasks.csv', mime = 'text/csv' }) => [
    `--border\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: ${mime}\r\n\r\n`,
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, '--border--\r\n'].map((piece) => Buffer.from(piece)))
}
