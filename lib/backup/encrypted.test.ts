import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { decrypted, encrypted, keyId } from './encrypted'
import { pack, unpack } from './pack'

const folder = mkdtempSync(join(tmpdir(), 'engine-encrypted-'))
afterAll(() => rmSync(folder, { recursive: true }))

const KEY = randomBytes(32).toString('base64')
const OTHER = randomBytes(32).toString('base64')
const CHUNK = 64 * 1024
const SEALED = CHUNK + 16
const HEADER = 48
const FILE = join(folder, 'engine.tar.enc')

async function* blocks(content: Buffer, size = 10_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}
const seal = (content: Buffer, key = KEY) => buffer(encrypted(blocks(content), key))

function open(sealed: Buffer, key: string | undefined = KEY): Promise<Buffer> {
  writeFileSync(FILE, sealed)
  return buffer(decrypted(FILE, key))
}

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5])(
  '%i bytes are read as they were written, and none of them is in the file',
  async (bytes) => {
    const content = randomBytes(bytes)
    const sealed = await seal(content)
    expect((await open(sealed)).equals(content)).toBe(true)
    if (bytes > 16) expect(sealed.includes(content.subarray(0, 16))).toBe(false)
    expect(sealed.equals(await seal(content))).toBe(false)
  },
)

const whole = await seal(randomBytes(3 * CHUNK + 5))
const full = await seal(randomBytes(2 * CHUNK))
const other = await seal(randomBytes(3 * CHUNK + 5))
const part = (sealed: Buffer, number: number) =>
  sealed.subarray(HEADER + number * SEALED, HEADER + (number + 1) * SEALED)
const withPart = (number: number, replaced: Buffer) =>
  Buffer.concat([
    whole.subarray(0, HEADER + number * SEALED),
    replaced,
    whole.subarray(HEADER + (number + 1) * SEALED),
  ])
function flipped(at: number): Buffer {
  const changed = Buffer.from(whole)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

const DAMAGED: [string, Buffer, RegExp][] = [
  ['cut in its header', whole.subarray(0, 20), /it is cut off/],
  ['cut after its header', whole.subarray(0, HEADER), /part 1 was changed, moved or cut off/],
  ['cut in a part', whole.subarray(0, HEADER + SEALED + 9), /part 2 was/],
  ['cut between parts', whole.subarray(0, HEADER + 2 * SEALED), /it is cut off/],
  ['without its last part', whole.subarray(0, HEADER + 3 * SEALED), /it is cut off/],
  ['without its last byte', whole.subarray(0, -1), /part 4 was/],
  ['longer', Buffer.concat([whole, Buffer.from('x')]), /part 4 was/],
  ['followed by a part', Buffer.concat([full, part(whole, 0)]), /added to its end/],
  ['followed by itself', Buffer.concat([full, full]), /added to its end/],
  ['of parts in another order', withPart(0, part(whole, 1)), /part 1 was/],
  ['with a part twice', withPart(2, part(whole, 1)), /part 3 was/],
  ['with a part of another file', withPart(1, part(other, 1)), /part 2 was/],
  [
    'with another header',
    Buffer.concat([other.subarray(0, HEADER), whole.subarray(HEADER)]),
    /1 was/,
  ],
  ['changed in its salt', flipped(HEADER - 1), /part 1 was/],
  ['changed in a value', flipped(HEADER + SEALED + 1), /part 2 was/],
  ['changed in a tag', flipped(HEADER + SEALED - 1), /part 1 was/],
  ['changed in the id of its key', flipped(9), /another key/],
]

test.each(DAMAGED)('a file that is %s is refused', async (_, damaged, reason) => {
  await expect(open(damaged)).rejects.toThrow(reason)
})

test('another key, or none, is told by its id, without the key', async () => {
  const failure = await open(whole, OTHER).catch((error: Error) => error.message)
  expect(failure).toContain(`its id is ${keyId(KEY)}, that of BACKUP_KEY ${keyId(OTHER)}`)
  expect(failure).not.toContain(OTHER)
  writeFileSync(FILE, whole)
  await expect(buffer(decrypted(FILE, undefined))).rejects.toThrow(
    `set BACKUP_KEY to its key, whose id is ${keyId(KEY)}`,
  )
})

test('a packed folder is unpacked, and nothing of one that was changed at its end', async () => {
  const [content, target, file] = ['content', 'target', 'packed.tar.enc'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  mkdirSync(content)
  mkdirSync(target)
  writeFileSync(join(content, 'a.bin'), randomBytes(5 * CHUNK))
  await pack(content, file, KEY)
  const sealed = readFileSync(file)
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1)
  writeFileSync(`${file}.changed`, sealed)
  await expect(unpack(`${file}.changed`, target, { key: KEY })).rejects.toThrow('no whole backup')
  expect(readdirSync(target)).toEqual([])
  await unpack(file, target, { key: KEY })
  expect(existsSync(join(target, 'a.bin'))).toBe(true)
})

test('a plain archive in the place of an encrypted one is refused', async () => {
  const [content, plain] = [join(folder, 'plain'), join(folder, 'plain.tar')]
  mkdirSync(content)
  writeFileSync(join(content, 'a.txt'), 'a')
  await pack(content, plain)
  renameSync(plain, `${plain}.enc`)
  await expect(unpack(`${plain}.enc`, content, { key: KEY })).rejects.toThrow('is not encrypted')
})
