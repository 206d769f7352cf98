import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import busboy from 'busboy'

type Form = { file: Buffer | null; fields: Record<string, string> }

/** The fields and the part `file` of a multipart body; repeated fields (`a[]`) joined by commas. */
export async function readFields(request: IncomingMessage): Promise<Form> {
  const form: Form = { file: null, fields: {} }
  if (!request.headers['content-type']?.startsWith('multipart/')) return form
  const parser = busboy({ headers: request.headers })
  const files: Promise<void>[] = []
  parser.on('field', (name, value) => {
    const field = name.replace(/\[\]$/, '')
    form.fields[field] = field in form.fields ? `${form.fields[field]},${value}` : value
  })
  parser.on('file', (_, stream) => {
    files.push(
      buffer(stream).then((bytes) => {
        form.file = bytes
      }),
    )
  })
  await new Promise((resolve, reject) => {
    parser.once('close', resolve).once('error', reject)
    request.once('error', reject).pipe(parser)
  })
  await Promise.all(files)
  return form
}
