import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'
import { storageClaims } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { type FakeCloudinary, startFakeCloudinary } from '@/lib/testing/fake-cloudinary'
import { call } from '@/lib/testing/request'
import { DELETE, GET, PATCH } from '../[fileId]/route'
import { GET as serve } from '../files/[...path]/route'
import { GET as list } from '../route'
import { POST as upload } from '../upload/route'

/** Every test of images runs on both. */
export const PROVIDERS = ['local', 'cloudinary'] as const
type Provider = (typeof PROVIDERS)[number]
type Fields = Record<string, string>

/** The images API for the tests of one file, on either storage. */
export function imageApi() {
  const deps = currentDeps()
  let fake: FakeCloudinary
  beforeAll(async () => {
    fake = await startFakeCloudinary()
  })
  afterAll(() => fake.close())

  const send = (file: Uint8Array | string | null, fields: Fields = {}, as = 'EDITOR') => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    if (file !== null) form.set('file', new Blob([file as BlobPart]), 'any name.png')
    const path = '/api/images/upload'
    return call(deps, upload, { method: 'POST', path, body: form, as })
  }
  const one = (method: 'GET' | 'PATCH' | 'DELETE', fileId: string, body?: unknown, as = 'EDITOR') =>
    call(deps, { GET, PATCH, DELETE }[method], {
      ...{ method, path: `/api/images/${fileId}`, body, as, params: { fileId } },
    })
  const listed = (query = '') => call(deps, list, { path: `/api/images${query}`, as: 'VIEWER' })

  /** The bytes at an image's address, from the app or the provider; null when there are none. */
  const readBack = async (uri: string): Promise<Buffer | null> => {
    const isOnDisk = new URL(uri).pathname.startsWith('/api/')
    const response = isOnDisk
      ? await serve(new Request(uri), { params: Promise.resolve({}) })
      : await fetch(uri)
    const moved = response.status === 307 && response.headers.get('location')
    if (moved) return readBack(new URL(moved, uri).href)
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null
  }

  return {
    get fake() {
      return fake
    },
    send,
    one,
    listed,
    /** Empty database and storage. */
    open: async (provider: Provider): Promise<Deps> => {
      fake.objects.clear()
      fake.requests.length = 0
      const deps = await testDeps(provider === 'cloudinary' ? { CLOUDINARY_URL: fake.url } : {})
      await rm(join(deps.settings.DATA_DIR, 'images'), { recursive: true, force: true })
      return deps
    },
    /** Uploads an image and returns its record. */
    take: async (file: Uint8Array, fields: Fields = {}) => {
      const response = await send(file, fields)
      expect(response.status, response.text).toBe(201)
      return response.body.data[0]
    },
    readBack,
    /** All objects of the storage. */
    storedObjects: async (provider: Provider): Promise<string[]> => {
      if (provider === 'cloudinary') return [...fake.objects.keys()]
      const folder = join(deps.settings.DATA_DIR, 'images', 'objects')
      const all = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
      return all.filter((entry) => entry.isFile()).map(({ name }) => name)
    },
    claims: () => deps.db.select().from(storageClaims),
    /** Makes all claims due. */
    makeClaimsDue: () =>
      deps.db.update(storageClaims).set({ dueAt: sql`now() - interval '1 minute'` }),
  }
}
