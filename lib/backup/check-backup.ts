import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { prettifyError } from 'zod'
import { type BackupFile, MANIFEST, type Manifest, manifestSchema } from './contract'

/** A backup whose files are all there and have not changed. */
export type CheckedBackup = { folder: string; manifest: Manifest }

/**
 * Reads the manifest in `folder` and every file that it names. Throws an `Error` that names the first file that is missing or
 * differs from what was written.
 */
export async function checkBackup(folder: string): Promise<CheckedBackup> {
  const manifest = await readManifest(folder)
  const { structure, tables, images } = manifest
  for (const file of [structure, ...tables.map(({ data }) => data), ...images])
    await checkFile(folder, file)
  return { folder, manifest }
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Error(`This is no whole backup: ${MANIFEST} is missing`)
  const result = manifestSchema.safeParse(parse(text))
  if (result.success) return result.data
  const [first] = prettifyError(result.error).split('\n')
  throw new Error(`${MANIFEST} is damaged, or of another version of Engine: ${first}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${MANIFEST} is damaged: it is not JSON`)
  }
}

async function checkFile(folder: string, { path, sha256, bytes }: BackupFile): Promise<void> {
  if (path.split('/').includes('..')) throw new Error(`${path} leads out of the backup`)
  const hash = createHash('sha256')
  let read = 0
  try {
    await readBlocks(folder, path, async (block) => {
      hash.update(block)
      read += block.length
      if (read > bytes) throw new Error('it is longer')
    })
  } catch (error) {
    throw new Error(`${path} is damaged or missing: ${(error as Error).message}`)
  }
  if (hash.digest('hex') !== sha256) throw new Error(`${path} is damaged: its hash differs`)
}

/** Hands the content of a file, unpacked, to `take`, a block after the other. */
export async function readBlocks(
  folder: string,
  path: string,
  take: (block: Buffer) => Promise<void>,
): Promise<void> {
  const drain = async (blocks: AsyncIterable<Buffer>) => {
    for await (const block of blocks) await take(block)
  }
  const file = createReadStream(join(folder, path))
  if (path.endsWith('.gz')) await pipeline(file, createGunzip(), drain)
  else await pipeline(file, drain)
}
