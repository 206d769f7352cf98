import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { create, extract } from 'tar'
import type { Env } from '@/lib/env'
import { decrypted, encrypted, isEncrypted, requireAuthentic } from './encrypted'

/** Runs `work` in a new folder beside `file`, on the same disk, and removes the folder. */
export async function inFolderBeside<T>(
  file: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(dirname(resolve(file)), `.${basename(file)}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * The same for what is in an encrypted file: in the data folder, since the disk of the file may be another's. It needs its unpacked space
 * there.
 */
export async function inWorkFolder<T>(
  { BACKUP_KEY, DATA_DIR }: Pick<Env, 'BACKUP_KEY' | 'DATA_DIR'>,
  file: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!BACKUP_KEY) return inFolderBeside(file, work)
  await mkdir(DATA_DIR, { recursive: true })
  return inFolderBeside(join(DATA_DIR, basename(file)), work)
}

/** An archive of a folder, as a stream that reads the files as it goes. */
export async function* packed(folder: string): AsyncGenerator<Uint8Array> {
  const stream = create(
    { cwd: folder, portable: true, mode: 0o600 } as object,
    await readdir(folder),
  )
  stream.on('error', () => {}) // thrown to the reader; later ones come of the folder's being removed
  for await (const chunk of stream) yield chunk as unknown as Uint8Array
}

/**
 * Packs a folder into one file, encrypted with `key`, which appears under its name when it is complete and on the disk. Throws when it
 * exists.
 */
export async function pack(folder: string, file: string, key?: string): Promise<void> {
  await requireNew(file)
  const draft = draftOf(file)
  const content = packed(folder)
  try {
    await pipeline(
      key ? encrypted(content, key) : content,
      createWriteStream(draft, { mode: 0o600, flush: true }),
    )
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Where a file is written until it is complete. */
const draftOf = (file: string) =>
  join(dirname(resolve(file)), `.${basename(file)}.${randomUUID().slice(0, 8)}.half`)

export async function requireNew(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} exists: choose another name`)
}

type Opening = {
  /** Of messages. */
  name?: string | undefined
  /** `BACKUP_KEY`. */
  key?: string | undefined
}

/**
 * Unpacks files and folders alone: a link could lead out of `folder`. Takes an archive that was compressed by gzip, too, in constant
 * memory, and an encrypted one, which it reads once more: nothing is written unless all of it is authentic. Throws, with the reason, when
 * `file` is missing, no whole archive, or named `.enc` and not encrypted.
 */
export async function unpack(
  file: string,
  folder: string,
  { name = file, key }: Opening = {},
): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new Error(`There is no file ${name}`)
  if (!found.isFile()) throw new Error(`${name} is no file`)
  if (found.size === 0) throw new Error(`${name} is no whole backup: it is empty`)
  const isSealed = await isEncrypted(file)
  if (isSealed) await requireAuthentic(file, key, name)
  // One that somebody has put in the place of an encrypted one.
  else if (file.endsWith('.enc')) throw new Error(`${name} is not encrypted, though it is named so`)
  const bytes = isSealed ? Readable.from(decrypted(file, key, name)) : createReadStream(file)
  const source = !isSealed && (await isGzip(file)) ? bytes.pipe(createGunzip()) : bytes
  await extractTo(folder, bytes, source).catch((error: Error & { code?: string }) => {
    const isDamage = /^(TAR|Z)_/.test(error.code ?? '')
    const reason = error.message.replace(/^TAR_\w+: /, '')
    throw isDamage ? new Error(`${name} is no whole backup: ${reason}`, { cause: error }) : error
  })
}

/** `source`: the archive in `bytes`. */
async function extractTo(folder: string, bytes: Readable, source: Readable): Promise<void> {
  const isPlain = (type: string) => ['File', 'Directory'].includes(type)
  const filter = (_: string, entry: object) => 'type' in entry && isPlain(String(entry.type))
  const unpacked = extract({ cwd: folder, strict: true, filter })
  await new Promise<void>((done, fail) => {
    bytes.on('error', fail)
    source.on('error', fail)
    unpacked.on('error', fail)
    unpacked.on('close', () => done())
    // Tar would look at what follows the end, too, at a cost that grows with its square.
    unpacked.on('eof', () => {
      source.unpipe(unpacked)
      bytes.destroy()
      unpacked.end()
    })
    source.pipe(unpacked)
  })
}

/** By its first bytes. Tar itself would hold what it unpacks, and copy it again and again. */
async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.equals(Buffer.from([0x1f, 0x8b]))
  } finally {
    await handle.close()
  }
}
