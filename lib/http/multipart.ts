import { rm } from 'node:fs/promises'
import { type Body, BodyPace, requireIdentity } from './body'
import { discard } from './discard'
import { FormReader, type Parts } from './form-reader'
import { fileTooLarge } from './store-file'

/** Its `file` is null when there is none or it is empty. */
export type Upload = Parts & {
  /** Removes the temporary file. Always call it; further calls do nothing. */
  dispose: () => Promise<void>
}

export type UploadOptions = {
  /** The largest accepted file. */
  maxFileBytes: number
  /** The most accepted text fields, of at most 64 KiB each. Default 20. */
  maxFields?: number
  /** Folder of the temporary file; created if missing. */
  folder: string
}

/** Room for boundaries, headers, fields and unexpected files. */
const MAX_OVERHEAD_BYTES = 1024 * 1024

/**
 * Reads a multipart form, streaming its file to a temporary one of mode 600 while counting and
 * hashing, so that memory stays flat. Null when the request is not a multipart form; its body is
 * untouched then. Throws `too_large` by the declared length, else at the first byte too many, and
 * `invalid_input` for a broken or interrupted form, several files or repeated fields, and of the
 * body what `readBytes` does (`timeoutMs`: see `BodyPace`). After a throw no temporary file is
 * left, and the rest of the body is read and dropped during the response.
 */
export async function readMultipart(
  request: Request,
  options: UploadOptions,
  timeoutMs: number,
): Promise<Upload | null> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;.*\bboundary=/is.test(type)) return null
  requireIdentity(request)
  if (!request.body) return toUpload(NOTHING)
  const body = request.body.getReader()
  try {
    const maxBytes = options.maxFileBytes + MAX_OVERHEAD_BYTES
    const declaredBytes = Number(request.headers.get('content-length') ?? 0)
    if (declaredBytes > maxBytes) throw fileTooLarge(options.maxFileBytes)
    const pace = new BodyPace(timeoutMs)
    return await readForm({ body, pace }, new FormReader(type, options), maxBytes)
  } catch (error) {
    void discard(body)
    throw error
  }
}

type Source = { body: Body; pace: BodyPace }

async function readForm(source: Source, form: FormReader, maxBytes: number): Promise<Upload> {
  try {
    const received = await pump(source, form, maxBytes)
    // An empty body is a form without parts, not an incomplete form.
    const parts = received === 0 ? NOTHING : await form.end()
    if (parts.file?.bytes !== 0) return toUpload(parts)
    await toUpload(parts).dispose()
    return toUpload({ ...parts, file: null })
  } catch (error) {
    await form.abort()
    throw error
  }
}

/** Returns the number of bytes. */
async function pump({ body, pace }: Source, form: FormReader, maxBytes: number): Promise<number> {
  let received = 0
  for (;;) {
    const { done, value } = await pace.read(body)
    if (done) return received
    received += value.length
    if (received > maxBytes) throw fileTooLarge(form.options.maxFileBytes)
    await form.write(value)
  }
}

const NOTHING: Parts = { file: null, fields: {}, otherFiles: [] }

const toUpload = (parts: Parts): Upload => ({
  ...parts,
  dispose: async () => {
    if (parts.file) await rm(parts.file.path, { force: true })
  },
})
