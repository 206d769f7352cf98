import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Client } from 'pg'
import type { Manifest } from './contract'
import { writeFileOf } from './write-file'

type Copied = Pick<Manifest, 'images' | 'missingImages' | 'cloudImages'>

/** Where the local storage keeps what it stores. */
export const objectsFolder = (dataDir: string) => join(dataDir, 'images', 'objects')

/** Copies every image on the disk of this server. One that is deleted meanwhile is reported as missing, if the database names it. */
export async function copyImages(client: Client, dataDir: string, folder: string): Promise<Copied> {
  const root = objectsFolder(dataDir)
  const images: Manifest['images'] = []
  for (const key of await listFiles(root)) {
    const file = await copy(root, key, folder)
    if (file) images.push({ ...file, key })
  }
  const keys = new Set(images.map(({ key }) => key))
  const named = await client.query<{ provider: string; key: string }>(
    'select provider, storage_key as key from engine.images order by 2',
  )
  const local = named.rows.filter(({ provider }) => provider === 'local')
  return {
    images,
    missingImages: local.flatMap(({ key }) => (keys.has(key) ? [] : [key])),
    cloudImages: named.rows.length - local.length,
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
