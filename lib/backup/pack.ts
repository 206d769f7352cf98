import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import { create, extract } from 'tar'

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

/** The same archive as a stream, which reads the files as it goes. */
export async function* packed(folder: string): AsyncGenerator<Uint8Array> {
  const stream = create(
    { cwd: folder, portable: true, mode: 0o600 } as object,
    await readdir(folder),
  )
  stream.on('error', () => {}) // thrown to the reader; later ones come of the folder's being removed
  for await (const chunk of stream) yield chunk as unknown as Uint8Array
}

/** Packs a folder into one file, which appears under its name when it is complete. Throws when it exists. */
export async function pack(folder: string, file: string): Promise<void> {
  await requireNew(file)
  const draft = `${folder}.tar`
  try {
    await create(
      { file: draft, cwd: folder, portable: true, mode: 0o600 } as object,
      await readdir(folder),
    )
    await rename(draft, file)
  } finally {
    await rm(draft, { force: true })
  }
}

export async function requireNew(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} exists: choose another name`)
}

/**
 * Unpacks files and folders alone: a link could lead out of `folder`. Takes an archive that was compressed by gzip, too, in constant
 * memory. `name` is that of messages. Throws, with the reason, when `file` is missing or no whole archive.
 */
export async function unpack(file: string, folder: string, name = file): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found) throw new Error(`There is no file ${name}`)
  if (!found.isFile()) throw new Error(`${name} is no file`)
  if (found.size === 0) throw new Error(`${name} is no whole backup: it is empty`)
  await extractTo(folder, file).catch((error: Error & { code?: string }) => {
    const isDamage = /^(TAR|Z)_/.test(error.code ?? '')
    const reason = error.message.replace(/^TAR_\w+: /, '')
    throw isDamage ? new Error(`${name} is no whole backup: ${reason}`, { cause: error }) : error
  })
}

async function extractTo(folder: string, file: string): Promise<void> {
  const isPlain = (type: string) => ['File', 'Directory'].includes(type)
  const filter = (_: string, entry: object) => 'type' in entry && isPlain(String(entry.type))
  const bytes = createReadStream(file)
  const source = (await isGzip(file)) ? bytes.pipe(createGunzip()) : bytes
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
