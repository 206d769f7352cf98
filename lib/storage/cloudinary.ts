import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import type { UploadApiOptions, UploadApiResponse } from 'cloudinary'
import { z } from 'zod'
import { type CloudinaryAccount, readCloudinaryUrl } from './cloudinary-account'
import {
  askCloudinary,
  loadCloudinary,
  readResponse,
  TIMEOUT_MS,
  unexpected,
} from './cloudinary-calls'
import type { Labels, NewObject, Storage } from './storage'

type Settings = { timeoutMs?: number }

/**
 * Stores objects at Cloudinary with its SDK; the key is the public id. A replacement overwrites the
 * object in place, and invalidates Cloudinary's caches.
 */
export function cloudinaryStorage(url: string, { timeoutMs = TIMEOUT_MS }: Settings = {}): Storage {
  const account = { ...readCloudinaryUrl(url), timeout: timeoutMs }
  const sdk = () => loadCloudinary(account.upload_prefix)
  const ask = <T>(call: () => Promise<T>) => askCloudinary(call, timeoutMs)
  return {
    provider: 'cloudinary',
    keyFor: ({ folder, name }) => (folder ? `${folder}/${name}` : name),
    put: async (object) =>
      readResponse(await ask(() => upload(account, object)), account, object.key),
    label: (key, labels) => label(account, key, labels, ask),
    remove: async (key) => {
      const { uploader } = await sdk()
      const response: unknown = await ask(() =>
        uploader.destroy(key, { ...account, invalidate: true }),
      )
      const { result } = z.object({ result: z.string() }).catch({ result: '' }).parse(response)
      if (result !== 'ok' && result !== 'not found') throw unexpected(`destroy said "${result}"`)
    },
    describe: async (key) => {
      const { api } = await sdk()
      const found: unknown = await ask(() => api.resource(key, account).catch(nullWhenMissing))
      return found === null ? null : readResponse(found, account, key)
    },
    check: async () => {
      const { api } = await sdk()
      await ask(() => api.ping(account))
    },
  }
}

// Always a stream: with a string the SDK would open a local file or fetch an address.
async function upload(account: CloudinaryAccount, object: NewObject): Promise<UploadApiResponse> {
  const { uploader } = await loadCloudinary(account.upload_prefix)
  const { folder, name, path, labels } = object
  const options: UploadApiOptions = {
    ...account,
    ...labelFields(labels),
    resource_type: 'image',
    type: 'upload',
    public_id: name,
    folder,
    overwrite: true,
    invalidate: true,
    unique_filename: false,
    disable_promises: true,
  }
  return new Promise((resolve, reject) => {
    const target = uploader.upload_stream(options, (error, response) => {
      if (response && !error) resolve(response)
      else reject(error ?? new Error('No response'))
    })
    pipeline(createReadStream(path), target, (error) => error && reject(error))
  })
}

async function label(
  account: CloudinaryAccount,
  key: string,
  labels: Labels,
  ask: <T>(call: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const { uploader } = await loadCloudinary(account.upload_prefix)
  const { tags, context } = labelFields(labels)
  if (tags || context)
    await ask(() => uploader.explicit(key, { ...account, type: 'upload', tags, context }))
  // The SDK does not send empty fields, so separate calls clear the old values.
  if (!tags) await ask(() => uploader.remove_all_tags([key], { ...account, type: 'upload' }))
  if (!context) await ask(() => uploader.remove_all_context([key], { ...account, type: 'upload' }))
}

function labelFields({ tags, context }: Labels): { tags?: string[]; context?: string } {
  const pairs = Object.entries(context).map(([key, value]) => `${key}=${escapeContext(value)}`)
  return {
    ...(tags.length > 0 ? { tags: [...tags] } : {}),
    ...(pairs.length > 0 ? { context: pairs.join('|') } : {}),
  }
}

/** `=` and `|` separate keys, values and pairs. */
const escapeContext = (value: string) => value.replace(/[=|]/g, '\\$&')

function nullWhenMissing(thrown: { error?: { http_code?: number } }): null {
  if (thrown?.error?.http_code === 404) return null
  throw thrown
}
