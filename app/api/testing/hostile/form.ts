const BOUNDARY = 'boundary-of-the-form'

/**
 * A multipart form, written by hand: a file of a few bytes, and fields; `<name>`, `<filename>` and `<type>` are
 * what is said of the file, `file` is its content.
 */
export function formOf(fields: Record<string, string>): { body: Buffer; type: string } {
  const {
    '<name>': name = 'file',
    '<filename>': fileName = 'a.csv',
    '<type>': mime = 'text/csv',
    file = 'name\na\n',
    ...texts
  } = fields
  const parts = Object.entries(texts).map(([field, value]) => part(`name="${field}"`, value))
  const said = `name="${name}"; filename="${fileName}"\r\ncontent-type: ${mime}`
  const body = Buffer.from(`${parts.join('')}${part(said, file)}--${BOUNDARY}--\r\n`)
  return { body, type: `multipart/form-data; boundary=${BOUNDARY}` }
}

const part = (said: string, content: string) =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${said}\r\n\r\n${content}\r\n`
