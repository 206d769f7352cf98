import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import busboy, { type Busboy, type FieldInfo, type FileInfo } from 'busboy'
import { AppError } from '@/lib/errors'
import { type StoredFile, storeFile } from './store-file'

type Options = { maxFileBytes: number; maxFields?: number; folder: string }

/** What a form holds; `otherFiles` are the names of files that are not called `file`, whose contents are skipped. */
export type Parts = {
  file: StoredFile | null
  fields: Record<string, string>
  otherFiles: string[]
}

const MAX_FIELD_BYTES = 64 * 1024
const DEFAULT_MAX_FIELDS = 20

/**
 * Reads a multipart form in chunks. `write` waits while the disk is slower than the network. Errors
 * are thrown by the next `write` or by `end`; call `abort` then.
 */
export class FormReader {
  readonly #parser: Busboy
  readonly #failure = new AbortController()
  readonly #fields = new Map<string, string>()
  readonly #otherFiles = new Set<string>()
  #file: Promise<StoredFile | null> | undefined

  constructor(
    contentType: string,
    readonly options: Options,
  ) {
    const fields = options.maxFields ?? DEFAULT_MAX_FIELDS
    this.#parser = createParser(contentType, { fields, parts: fields + 8 })
      .on('file', (name, stream, info) => this.#takeFile(name, stream, info))
      .on('field', (name, value, info) => this.#takeField(name, value, info))
      .on('fieldsLimit', () => this.#fail(tooManyParts()))
      .on('partsLimit', () => this.#fail(tooManyParts()))
      .on('error', (error) => this.#fail(malformed(error)))
  }

  /** Throws the first error since the last call. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#throwFailure()
    if (this.#parser.write(chunk)) return
    await this.#event('drain')
  }

  async end(): Promise<Parts> {
    this.#throwFailure()
    this.#parser.end()
    await this.#event('close')
    const file = (await this.#file) ?? null
    this.#throwFailure()
    return { file, fields: Object.fromEntries(this.#fields), otherFiles: [...this.#otherFiles] }
  }

  /** Stops reading and removes the temporary file. */
  async abort(): Promise<void> {
    this.#fail(malformed())
    this.#parser.destroy()
    const file = await this.#file
    if (file) await rm(file.path, { force: true })
  }

  #takeFile(name: string | undefined, stream: Readable, info: FileInfo): void {
    // The parser reports its errors too; without a listener they would end the process.
    stream.on('error', () => {})
    if (name !== 'file' || this.#file) {
      stream.resume()
      if (name === 'file') this.#fail(severalFiles())
      else this.#otherFiles.add(name ?? '')
      return
    }
    const { filename = '', mimeType } = info
    const named = { fileName: filename, declaredType: mimeType }
    this.#file = storeFile(stream, named, this.options).catch((error) => {
      this.#fail(isRefusal(error) ? error : malformed(error))
      return null
    })
  }

  #takeField(name: string, value: string, info: FieldInfo): void {
    const problem = fieldProblem(name, value, info.valueTruncated, this.#fields)
    if (problem) this.#fail(problem)
    else this.#fields.set(name, value)
  }

  // The first error is the cause; later ones follow from it.
  #fail(error: unknown): void {
    this.#failure.abort(error)
  }

  #throwFailure(): void {
    this.#failure.signal.throwIfAborted()
  }

  async #event(name: 'drain' | 'close'): Promise<void> {
    try {
      await once(this.#parser, name, { signal: this.#failure.signal })
    } catch (error) {
      this.#throwFailure()
      throw error
    }
  }
}

function createParser(contentType: string, limits: { fields: number; parts: number }): Busboy {
  try {
    return busboy({
      headers: { 'content-type': contentType },
      // Browsers write file names as plain UTF-8.
      defParamCharset: 'utf8',
      limits: { ...limits, fieldSize: MAX_FIELD_BYTES },
    })
  } catch (error) {
    throw malformed(error)
  }
}

const MAX_NAME_LENGTH = 200

/**
 * What is wrong with a text field, null when it is valid. (busboy's types omit that name and value
 * are undefined when the part's header is malformed.)
 */
function fieldProblem(
  name: string | undefined,
  value: string | undefined,
  truncated: boolean,
  taken: Map<string, string>,
): AppError | null {
  if (name === undefined || value === undefined) return malformed()
  if (truncated || name.length > MAX_NAME_LENGTH)
    return new AppError('too_large', 'A field of the form is larger than 64 KiB')
  if (!taken.has(name)) return null
  return new AppError('invalid_input', `The field "${name}" is given more than once`, {
    validations: [{ field: name, error: 'Given more than once' }],
  })
}

/**
 * Whether to keep an error: those of the disk are for the log, those of the parser mean a bad form.
 */
const isRefusal = (error: unknown) =>
  error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined

const malformed = (cause?: unknown) =>
  new AppError('invalid_input', 'The form is incomplete or malformed; send it again', { cause })

const severalFiles = () => new AppError('invalid_input', 'Send one file, not several')

const tooManyParts = () => new AppError('invalid_input', 'The form has too many fields')
