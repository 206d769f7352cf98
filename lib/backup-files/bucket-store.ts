import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { S3Error, S3mini, S3ServiceError } from 's3mini'
import type { Bucket } from '@/lib/env/backups'
import { fetchAgain } from './fetch-again'
import type { BackupStore } from './store'

/** One request each; S3 takes up to 10,000, of 5 MiB or more. */
const PART_BYTES = 16 * 1024 * 1024
const MAX_PARTS = 10_000

/** How long a list of the objects, a page of 1,000 at a time, may take with all tries. */
const LIST_MS = 10_000

type Options = { signal?: AbortSignal | undefined; listMs?: number }

/** Objects of a bucket whose keys begin with the bucket's prefix. Files pass through a folder in `dataDir`. */
export function bucketStore(bucket: Bucket, dataDir: string, options: Options = {}): BackupStore {
  const { endpoint, region, accessKeyId, secretAccessKey, prefix, title } = bucket
  const { signal, listMs = LIST_MS } = options
  const clientUntil = (stop?: AbortSignal) =>
    new S3mini({
      ...{ endpoint, region, accessKeyId, secretAccessKey },
      fetch: fetchAgain(stop),
    })
  const client = clientUntil(signal)
  const keyOf = (name: string) => prefix + name
  const names = async () => {
    const late = AbortSignal.timeout(listMs)
    const lister = clientUntil(AbortSignal.any([late, ...(signal ? [signal] : [])]))
    const found = await lister.listObjects('/', prefix).catch((error) => {
      throw late.aborted ? new S3Error(`no answer within ${listMs / 1000} s`) : error
    })
    if (!found) throw new Error(`${title}: there is no such bucket`)
    return found.map(({ Key }) => Key.slice(prefix.length))
  }
  return explained(title, {
    title,
    names,
    add: (name, write) =>
      inFolder(dataDir, async (folder) => {
        await write(join(folder, name))
        return upload(client, keyOf(name), join(folder, name))
      }),
    read: (name, work) =>
      inFolder(dataDir, async (folder) => {
        await download(client, keyOf(name), join(folder, name))
        return work(join(folder, name))
      }),
    readText: async (name) => (await client.getObject(keyOf(name))) ?? '',
    writeText: async (name, text) => void (await client.putObject(keyOf(name), text)),
    remove: async (name) => void (await client.deleteObject(keyOf(name))),
    problem: () => names().then(() => null, reasonOf),
  })
}

async function upload(client: S3mini, key: string, path: string): Promise<number> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const bytes = Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS))
    if (size <= bytes) await client.putObject(key, await readPart(file, 0, size))
    else await uploadParts(client, key, { file, size, bytes })
    return size
  } finally {
    await file.close()
  }
}

type Parts = { file: Awaited<ReturnType<typeof open>>; size: number; bytes: number }

/** The object appears when all parts are there. Those of an upload that fails are removed; where the process ends, they are left to a rule of the bucket. */
async function uploadParts(client: S3mini, key: string, { file, size, bytes }: Parts) {
  const id = await client.getMultipartUploadId(key)
  try {
    const parts: { partNumber: number; etag: string }[] = []
    for (let from = 0; from < size; from += bytes) {
      const part = await readPart(file, from, Math.min(bytes, size - from))
      parts.push(await client.uploadPart(key, id, part, parts.length + 1))
    }
    requireWhole(await client.completeMultipartUpload(key, id, parts))
  } catch (error) {
    await client.abortMultipartUpload(key, id).catch(() => {})
    throw error
  }
}

/** Putting parts together takes long, so S3 begins a response of success, and says in it whether it failed after all. */
function requireWhole(result: { etag?: string; Error?: unknown }): void {
  if (result.etag) return
  const { Code = 'no etag' } = (result.Error ?? {}) as { Code?: string }
  throw new S3Error(`The parts were not put together: ${Code}`)
}

async function readPart(file: Parts['file'], from: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from)
  if (bytesRead < bytes) throw new Error('The backup became shorter while it was sent')
  return buffer
}

async function download(client: S3mini, key: string, path: string): Promise<void> {
  const response = await client.getObjectResponse(key)
  if (!response?.body) throw new Error(`There is no object ${key}`)
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path, { mode: 0o600 }))
}

async function inFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = join(dataDir, 'backups')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'backup-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Says in failures of the bucket which it is, and why it refused. */
function explained(title: string, store: BackupStore): BackupStore {
  const explain = (error: unknown) => {
    throw error instanceof S3Error ? new Error(`${title}: ${reasonOf(error)}`) : error
  }
  const wrap =
    <Input extends unknown[], Output>(method: (...input: Input) => Promise<Output>) =>
    (...input: Input) =>
      method(...input).catch(explain)
  return {
    ...store,
    names: wrap(store.names),
    add: wrap(store.add),
    read: (name, work) => store.read(name, work).catch(explain),
    readText: wrap(store.readText),
    writeText: wrap(store.writeText),
    remove: wrap(store.remove),
  }
}

/** Without the address, which is signed, or the body, which may repeat keys. */
const reasonOf = (error: unknown): string =>
  error instanceof S3ServiceError
    ? `${error.status} ${error.serviceCode ?? ''}`.trim()
    : ((error as Failure).code ?? (error as Failure).cause?.code ?? (error as Error).message)

type Failure = { code?: string; cause?: { code?: string } }
