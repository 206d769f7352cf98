import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { ClientBase } from 'pg'
import type { Manifest } from './contract'
import { writeFileOf } from './write-file'

type Copied = Pick<Manifest, 'images' | 'missingImages' | 'cloudImages'>

/** Where the local storage keeps what it stores. */
export const objectsFolder = (dataDir: string) => join(dataDir, 'images', 'objects')

type Named = { provider: string; key: string }

/** The images that the database names. */
export async function listImages(client: ClientBase): Promise<Named[]> {
  const { rows } = await client.query<Named>(
    'select provider, storage_key as key from engine.images order by 2',
  )
  return rows
}

/** Copies every image on the disk of this server. One that is deleted meanwhile is reported as missing, if `named` has it. */
export async function copyImages(
  named: readonly Named[],
  { dataDir, signal }: { dataDir: string; signal?: AbortSignal },
  folder: string,
): Promise<Copied> {
  const root = objectsFolder(dataDir)
  const images: Manifest['images'] = []
  for (const key of await listFiles(root)) {
    signal?.throwIfAborted()
    const file = await copy(root, key, folder)
    if (file) images.push({ ...file, key })
  }
  const keys = new Set(images.map(({ key }) => key))
  const local = named.filter(({ provider }) => provider === 'local')
  return {
    images,
    missingImages: local.flatMap(({ key }) => (keys.has(key) ? [] : [key])),
    cloudImages: named.length - local.length,
  }
}

async function copy(root: string, key: string, folder: string) {
  try {
    const { lines: _, ...file } = await writeFileOf(
      folder,
      `images/${key}`,
      createReadStream(join(root, key)),
    )
    return file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
