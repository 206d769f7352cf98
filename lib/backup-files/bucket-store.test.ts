import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { startS3 } from '@/lib/testing/s3'
import { bucketStore } from './bucket-store'
import { backupStore } from './store'

const [KEY, SECRET] = ['AKIAEXAMPLE', 'a/secret+with%signs']
const s3 = await startS3({ key: KEY, secret: SECRET })
const DATA_DIR = mkdtempSync(join(tmpdir(), 'engine-bucket-'))
afterAll(() => {
  s3.close()
  rmSync(DATA_DIR, { recursive: true })
})
beforeEach(() => {
  s3.objects.clear()
  s3.asked.length = 0
  s3.faults.length = 0
})

function storeAt(path: string, secret = SECRET) {
  const user = `${KEY}:${encodeURIComponent(secret)}`
  const BACKUP_S3_URL = `${s3.origin.replace('//', `//${user}@`)}${path}`
  const store = backupStore(parseEnv({ BACKUP_S3_URL, DATA_DIR }))
  if (!store) throw new Error('No store')
  return store
}
const store = storeAt('/bucket/engine/daily?region=eu-1')
const add = (name: string, content: Buffer | string) =>
  store.add(name, async (path) => writeFileSync(path, content))

test('files are kept under the prefix, listed page by page, read, and removed; nothing stays here', async () => {
  s3.objects.set('engine/other', Buffer.from('x'))
  const names = ['a.tar.enc', 'b.tar.enc', 'c.tar.enc', 'd.tar.enc', 'e.tar.enc']
  for (const name of names) expect(await add(name, `content of ${name}`)).toBe(20)
  expect(await store.names()).toEqual(names)
  expect(await store.read('b.tar.enc', async (path) => readFileSync(path, 'utf8'))).toBe(
    'content of b.tar.enc',
  )
  await store.writeText('b.tar.enc.verified', '{}')
  expect(await store.readText('b.tar.enc.verified')).toBe('{}')
  expect(await store.readText('a.tar.enc.verified')).toBe('')
  for (const name of names) await store.remove(name)
  expect([...s3.objects.keys()].sort()).toEqual(['engine/daily/b.tar.enc.verified', 'engine/other'])
  expect(readdirSync(join(DATA_DIR, 'backups'))).toEqual([])
  await expect(store.read('a.tar.enc', async () => {})).rejects.toThrow('There is no object')
})

test('a large file is sent in parts and appears when all are there; one that fails leaves none', async () => {
  const content = randomBytes(40 * 1024 * 1024)
  await add('large', content)
  expect(s3.asked.filter((each) => each.startsWith('PUT'))).toHaveLength(3)
  expect(s3.objects.get('engine/daily/large')?.equals(content)).toBe(true)
  // The start of the upload, then its first part, again and again.
  s3.faults.push(0, 503, 503, 503)
  await expect(add('failed', content)).rejects.toThrow(/\/bucket\/engine\/daily\/: 503/)
  expect([...s3.objects.keys()]).toEqual(['engine/daily/large'])
  expect(s3.uploads.size).toBe(0)
})

test('an upload that fails while it is put together, which S3 says after all in a response of success, is none', async () => {
  // The start of the upload and its two parts, then its end.
  s3.faults.push(0, 0, 0, 200)
  await expect(add('late', randomBytes(20 * 1024 * 1024))).rejects.toThrow('InternalError')
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0])
})

test('what fails for a moment is tried again', async () => {
  s3.faults.push(503)
  await add('again', 'content')
  expect(s3.objects.get('engine/daily/again')?.toString()).toBe('content')
})

test('a wrong key, bucket or address is said, without the key', async () => {
  for (const [other, reason] of [
    [storeAt('/bucket', 'canary'), '403 SignatureDoesNotMatch'],
    [storeAt('/buckets'), /no such bucket|404 NoSuchBucket/],
  ] as const) {
    const problem = await other.problem()
    expect(problem).toMatch(reason)
    expect(problem).not.toMatch(/canary|secret/)
    await expect(other.names()).rejects.toThrow(reason)
  }
  const closed = await startS3({ key: KEY, secret: SECRET })
  closed.close()
  const BACKUP_S3_URL = `${closed.origin.replace('//', '//key:canary@')}/bucket`
  const away = backupStore(parseEnv({ BACKUP_S3_URL, DATA_DIR }))
  expect(await away?.problem()).toMatch(/ECONNREFUSED/)
  expect(existsSync(join(DATA_DIR, 'backups', 'key'))).toBe(false)
})

test('a service that takes connections and says nothing is given up soon', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { BACKUP_S3_URL } = parseEnv({
    BACKUP_S3_URL: `http://key:canary@127.0.0.1:${port}/bucket`,
  })
  if (!BACKUP_S3_URL) throw new Error('No bucket')
  const dead = bucketStore(BACKUP_S3_URL, DATA_DIR, { listMs: 50 })
  expect(await dead.problem()).toBe('no answer within 0.05 s')
  await expect(dead.names()).rejects.toThrow(`${dead.title}: no answer within 0.05 s`)
  silent.close()
})
