import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/*
 * An encrypted backup: a header of `MAGIC`, the id of the key and a salt, then chunks, each with its tag. The key of a file is
 * derived from `BACKUP_KEY` and its header. A chunk's nonce is its number and whether it is the last (STREAM of Hoang, Reyhanitabar,
 * Rogaway and Vizár), so that chunks can't be changed, moved, left out or come from another file.
 */
const MAGIC = Buffer.from('ENGBAK1\n')
const ID_BYTES = 8
const HEADER_BYTES = MAGIC.length + ID_BYTES + 32
const TAG_BYTES = 16
const CHUNK_BYTES = 64 * 1024
const CIPHER = 'aes-256-gcm'

type Chunks = AsyncIterable<Uint8Array>

/** Names a key, a `BACKUP_KEY`, without telling it. */
export const keyId = (key: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64'))
    .update('engine backup key')
    .digest('hex')
    .slice(0, 2 * ID_BYTES)

export async function* encrypted(content: Chunks, key: string): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from(keyId(key), 'hex'), randomBytes(32)])
  const ofFile = keyOfFile(key, header)
  yield header
  let number = 0
  for await (const { chunk, isLast } of inChunks(content, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, ofFile, nonceOf(number++, isLast))
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/** What `file`, named `name` in messages, holds. Throws an `Error` with the reason before it yields a chunk that is not authentic. */
export async function* decrypted(
  file: string,
  key: string | undefined,
  name = file,
): AsyncGenerator<Buffer> {
  const header = await readStart(file, HEADER_BYTES)
  const ofFile = keyOfFile(requireKey(header, key, name), header)
  const sealed = createReadStream(file, { start: HEADER_BYTES })
  let number = 0
  for await (const { chunk, isLast } of inChunks(sealed, CHUNK_BYTES + TAG_BYTES)) {
    const opened = openChunk(chunk, ofFile, nonceOf(number, isLast))
    if (!opened) throw damaged(name, chunk, { ofFile, number, isLast })
    yield opened
    number++
  }
}

export const isEncrypted = async (file: string): Promise<boolean> =>
  (await readStart(file, MAGIC.length)).equals(MAGIC)

/** Reads all of an encrypted file. Throws an `Error` with the reason when it is not whole, was changed, or has another key. */
export function requireAuthentic(file: string, key: string | undefined, name = file) {
  return pipeline(decrypted(file, key, name), async (content) => {
    for await (const _ of content);
  })
}

function requireKey(header: Buffer, key: string | undefined, name: string): string {
  if (header.length < HEADER_BYTES) throw new Error(`${name} is no whole backup: it is cut off`)
  const id = header.subarray(MAGIC.length, MAGIC.length + ID_BYTES).toString('hex')
  if (!key) throw new Error(`${name} is encrypted: set BACKUP_KEY to its key, whose id is ${id}`)
  if (keyId(key) === id) return key
  throw new Error(
    `${name} is encrypted with another key than BACKUP_KEY: its id is ${id}, that of BACKUP_KEY ${keyId(key)}`,
  )
}

const keyOfFile = (key: string, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), header, 'engine backup file', 32))

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

function openChunk(sealed: Buffer, key: Buffer, nonce: Buffer): Buffer | null {
  if (sealed.length < TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

type Place = { ofFile: Buffer; number: number; isLast: boolean }

/** A whole chunk at the end that was not the last, or a last one that others follow, tells that the file has another length. */
function damaged(name: string, chunk: Buffer, { ofFile, number, isLast }: Place): Error {
  const isOfOtherPlace = openChunk(chunk, ofFile, nonceOf(number, !isLast)) !== null
  const reason = isOfOtherPlace
    ? isLast
      ? 'it is cut off'
      : 'something was added to its end'
    : `its part ${number + 1} was changed, moved or cut off`
  return new Error(`${name} is no whole backup: ${reason}`)
}

async function readStart(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The content in chunks of `size` bytes; the last is shorter, or as long, and empty only if there is no content. */
async function* inChunks(content: Chunks, size: number) {
  let held: Buffer = Buffer.alloc(0)
  for await (const block of content) {
    held = held.length === 0 ? Buffer.from(block) : Buffer.concat([held, block])
    let at = 0
    for (; held.length - at > size; at += size)
      yield { chunk: held.subarray(at, at + size), isLast: false }
    held = held.subarray(at)
  }
  yield { chunk: held, isLast: true }
}
